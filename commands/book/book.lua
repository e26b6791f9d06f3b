-- A pandoc filter that makes the book from the students' documents. The variable KIT_BOOK lists them, one per line:
-- PATH|KIND|TITLE. KIND is the number of a chapter, "theory" or "more" (sections of the chapter before it) or "page" (without
-- a number), and TITLE replaces the document's own title. With KIT_SITE_PAGE, the path of a document, it makes only that
-- page of the site, whose links lead to the files of the other pages. The filter reports dead links, missing pictures and formulas that pandoc cannot read.

local documents, prefixes = {}, {} -- in order; path -> the prefix of the document's anchors
local anchors, links = {}, {}      -- anchor -> true; {from, target, anchor}
local numbers = {}                 -- of the current heading, by level
local page = os.getenv("KIT_SITE_PAGE")

local function folder_of(path) return path:match("^(.*)/[^/]*$") or "" end

local function normal(path) -- without . and ..
  local parts = {}
  for part in path:gmatch("[^/]+") do
    if part == ".." and #parts > 0 then parts[#parts] = nil elseif part ~= "." then parts[#parts + 1] = part end
  end
  return table.concat(parts, "/")
end

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

local function escape(text)
  return (text:gsub("[&<>\"]", {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}))
end

-- The picture inside the page, so that the book is one file.
local function picture(document, image)
  local path = normal(document.folder .. "/" .. image.src)
  local data = read(path)
  if not data then
    io.stderr:write(("%s: picture %s: no such file\n"):format(document.path, image.src))
    return image
  end
  local encoded = data:gsub("[^A-Za-z0-9_.~!*'();:@&=+$,/?%[%]<> -]", function(c) return ("%%%02X"):format(c:byte()) end)
  return pandoc.RawInline("html", ('<img src="data:image/svg+xml,%s" alt="%s">'):format(escape(encoded), escape(pandoc.utils.stringify(image.caption))))
end

-- The file of another page of the site, from this page.
local function file_of_page(document, path)
  local up = document.name:gsub("[^/]+/", "../"):match("^[./]*")
  return up .. (path == "README.md" and "index.html" or path:gsub("%.md$", ".html"))
end

local function link(document, element)
  if element.target:match("^%a+:") then return nil end
  local file, anchor = element.target:match("^([^#]*)#?(.*)$")
  local path = file == "" and document.name or normal(document.folder .. "/" .. file)
  local prefix = prefixes[path]
  if prefix and page and path ~= document.name then
    element.target = file_of_page(document, path) .. (anchor ~= "" and "#" .. prefix .. "--" .. anchor or "")
    return element
  end
  if prefix then
    element.target = "#" .. prefix .. (anchor ~= "" and "--" .. anchor or "")
    links[#links + 1] = {from = document.path, shown = file .. (anchor ~= "" and "#" .. anchor or ""), anchor = element.target:sub(2)}
    return element
  end
  if not (read(path) or os.rename(path, path)) then -- the second finds folders
    io.stderr:write(("%s: link to %s: no such file\n"):format(document.path, file))
  end
  local shown = pandoc.utils.stringify(element.content)
  if path:sub(-#shown) == shown then return {pandoc.Code(path)} end
  local inlines = element.content
  inlines:extend({pandoc.Space(), pandoc.Str("("), pandoc.Code(path), pandoc.Str(")")})
  return inlines
end

-- The number of the next heading of a level, as 2.3; pages and levels below 3 have none.
local function number(level)
  if not numbers[1] or level > 3 then return pandoc.List({}) end
  if level > 1 then
    numbers[level] = (numbers[level] or 0) + 1
    numbers[level + 1] = nil
  end
  return pandoc.List({pandoc.Span({pandoc.Str(table.concat(numbers, ".", 1, level))}, {class = "number"}), pandoc.Space()})
end

local function heading(document, header)
  local words = pandoc.List(header.content)
  header.identifier = document.prefix .. (header.level > 1 and "--" .. header.identifier or "")
  if header.level == 1 and document.title then words = pandoc.List({pandoc.Str(document.title)}) end
  if document.kind == "theory" or document.kind == "more" then
    if document.kind == "theory" and header.level == 1 and not pandoc.utils.stringify(words):match("^Theory") then words = pandoc.List({pandoc.Str("Theory:"), pandoc.Space()}) .. words end
    header.level = header.level + 1
  end
  anchors[header.identifier] = true
  header.content = number(header.level) .. words
  return header
end

local function scrolling(block) return pandoc.Div({block}, {class = "wide"}) end

-- MathML. TeX's delimiters stretch after \left only, pandoc's always. Wide formulas scroll in their own box.
local function formula(document, math)
  local html = pandoc.write(pandoc.Pandoc({pandoc.Plain({math})}), "html", {html_math_method = "mathml"})
  if not html:find("<math", 1, true) then
    io.stderr:write(("%s: formula %s: pandoc cannot convert it\n"):format(document.path, math.text))
  end
  if not math.text:find("\\left", 1, true) then html = html:gsub('stretchy="true"', 'stretchy="false"') end
  if math.mathtype == "DisplayMath" then html = '<span class="formula">' .. html .. "</span>" end
  return pandoc.RawInline("html", html)
end

local function convert(document)
  local text = read(document.path)
  local tree = pandoc.read(text, "gfm+tex_math_dollars")
  local block = pandoc.Div(tree.blocks)
  local function walk(filter) block = pandoc.walk_block(block, filter) end
  walk({Header = function(header) return heading(document, header) end})
  walk({
    Link = function(element) return link(document, element) end,
    Image = function(image) return picture(document, image) end,
    Math = function(math) return formula(document, math) end,
    Str = function(word)
      if word.text:find("$", 1, true) then
        io.stderr:write(("%s: %s: pandoc finds no end of this formula\n"):format(document.path, word.text))
      end
    end,
    Table = scrolling,
    CodeBlock = function(code) return pandoc.CodeBlock(code.text) end, -- one colour: no highlighting
    Code = function(code) -- a short one is not broken at a hyphen
      if #code.text <= 24 then code.classes = {"short"} end
      return code
    end,
    RawBlock = function(raw) if raw.text:match("^%s*<!%-%-") then return {} end end,
    RawInline = function(raw) if raw.text:match("^%s*<!%-%-") then return {} end end,
  })
  return block.content
end

function Pandoc(book)
  for path, kind, title in os.getenv("KIT_BOOK"):gmatch("([^|\n]+)|([^|\n]*)|([^|\n]*)") do
    local document = {path = path, kind = kind, title = title ~= "" and title or nil}
    document.folder = folder_of(path)
    if path:match("student_README%.md$") then -- the README of the students' copy is in its root
      path, document.folder = "README.md", ""
    end
    document.name = path
    document.prefix = path:gsub("%.md$", ""):gsub("[^%w]+", "-"):lower()
    prefixes[path] = document.prefix
    documents[#documents + 1] = document
  end
  local blocks = pandoc.List()
  for _, document in ipairs(documents) do
    if document.kind ~= "theory" and document.kind ~= "more" then numbers = {tonumber(document.kind)} end
    if not page or page == document.path then blocks:extend(convert(document)) end
  end
  for _, element in ipairs(links) do
    if not anchors[element.anchor] then
      io.stderr:write(("%s: link to %s: no such heading\n"):format(element.from, element.shown))
    end
  end
  return pandoc.Pandoc(blocks, book.meta)
end
