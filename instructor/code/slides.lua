-- A filter for pandoc: each heading of the second level begins a slide, and a quotation on it is a speaker note. See
-- slides --help.

local function is_picture(block)
  return block.t == "Para" and #block.content == 1 and block.content[1].t == "Image"
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
  local result, open, title = pandoc.List(), false, "Slides"
  local function start(kind)
    if open then
      result:insert(pandoc.RawBlock("html", "</section>"))
    end
    result:insert(pandoc.RawBlock("html", '<section class="slide ' .. kind .. '">'))
    open = true
  end
  for _, block in ipairs(without_local_links(document).blocks) do
    if block.t == "Header" and block.level == 1 then
      title = pandoc.utils.stringify(block)
      start("title")
    elseif block.t == "Header" then
      start("text")
    end
    if is_picture(block) then
      block = pandoc.Plain(block.content) -- a child of the slide, which gives it the room that text leaves
    elseif block.t == "BlockQuote" then
      block = pandoc.Div(block.content, { class = "notes" })
    end
    if block.t ~= "RawBlock" then
      result:insert(block)
    end
  end
  if open then
    result:insert(pandoc.RawBlock("html", "</section>"))
  end
  document.blocks = result
  document.meta.title = title
  document.meta.lang = "en"
  return document
end
