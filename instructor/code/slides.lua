-- A filter for pandoc: turns the sections of a page into slides. See slides --help.

local WORDS = 95 -- on a slide, about

local function words_of(block)
  local text = pandoc.utils.stringify(block)
  local _, count = text:gsub("%S+", "")
  if block.t == "CodeBlock" then
    local _, lines = block.text:gsub("\n", "")
    return 7 * (lines + 1)
  elseif block.t == "Table" then
    return 1.5 * count
  end
  return count
end

-- The image of a paragraph that holds nothing else.
local function picture_of(block)
  if block.t == "Para" and #block.content == 1 and block.content[1].t == "Image" then
    return block.content[1]
  end
end

local slides, current, section, title

local function start(kind, heading)
  current = { kind = kind, heading = heading, blocks = pandoc.List(), words = 0 }
  slides:insert(current)
end

-- A block in the middle of a sentence, such as a formula, stays on the slide where the sentence begins.
local function continues(slide)
  local last = slide.blocks[#slide.blocks]
  return last and slide.words < 1.3 * WORDS and not pandoc.utils.stringify(last):match("[.?!)]%s*$")
end

local function add(block)
  local words = words_of(block)
  local full = current and current.words > 0 and current.words + words > WORDS and not continues(current)
  if not current or current.kind == "picture" or full then
    start(current and current.kind == "answer" and "answer" or "text", section)
  end
  current.blocks:insert(block)
  current.words = current.words + words
end

local function add_picture(image)
  start("picture", section)
  current.blocks:insert(pandoc.Para({ image }))
  if image.title == "" and #image.caption > 0 then
    current.blocks:insert(pandoc.Para(image.caption))
  end
end

-- Lists can be longer than a slide: their items are added one by one.
local function add_list(list)
  local numbered = list.t == "OrderedList"
  local first = numbered and list.start or 1
  for n, item in ipairs(list.content) do
    local one = numbered and pandoc.OrderedList({ item }, pandoc.ListAttributes(first + n - 1)) or pandoc.BulletList({ item })
    add(one)
  end
end

local function add_block(block)
  if block.t == "Header" and block.level == 1 then
    title = pandoc.utils.stringify(block)
    start("title", block.content)
  elseif block.t == "Header" then
    section = block.content
    start("text", section)
  elseif block.t == "RawBlock" then
    if block.text:match("<details") then
      start("answer", section)
    elseif block.text:match("</details") then
      start("text", section)
    end
  elseif picture_of(block) then
    add_picture(picture_of(block))
  elseif block.t == "BulletList" or block.t == "OrderedList" then
    add_list(block)
  else
    add(block)
  end
end

-- Links to other pages of the kit lead nowhere in a single file.
local function without_local_links(document)
  return document:walk({
    Link = function(link)
      return link.target:match("^%a+:") and link or link.content
    end,
  })
end

function Pandoc(document)
  document = without_local_links(document)
  slides = pandoc.List()
  for _, block in ipairs(document.blocks) do
    add_block(block)
  end
  local result = pandoc.List()
  for _, slide in ipairs(slides) do
    if #slide.blocks > 0 or slide.kind == "title" then
      result:insert(pandoc.RawBlock("html", '<section class="slide ' .. slide.kind .. '">'))
      if slide.heading then
        result:insert(pandoc.Header(slide.kind == "title" and 1 or 2, slide.heading))
      end
      result:extend(slide.blocks)
      result:insert(pandoc.RawBlock("html", "</section>"))
    end
  end
  document.blocks = result
  document.meta.title = title or "Slides"
  document.meta.lang = "en"
  return document
end
