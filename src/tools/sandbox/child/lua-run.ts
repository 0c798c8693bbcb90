/**
 * The Lua chunk that runs the code. It receives the host's `write`, the code, the inputs by name and the metatable that
 * marks input lists; it returns the value as JSON text, and for an error its type, message, line and traceback.
 */
export const luaRun = String.raw`
local write, code, inputs, list_mark = ...
local type, next, select, tostring, pcall, xpcall, load, rawget, getmetatable, error =
  type, next, select, tostring, pcall, xpcall, load, rawget, getmetatable, error
local format, gsub, find, match, gmatch, byte, sub =
  string.format, string.gsub, string.find, string.match, string.gmatch, string.byte, string.sub
local concat, sort, utf8_len, math_type, traceback = table.concat, table.sort, utf8.len, math.type, debug.traceback
local MAX_DEPTH, HOLES, MAX_EXACT = 50, 16, 1 << 53

local function put(...)
  for index = 1, select('#', ...) do write(tostring((select(index, ...)))) end
end

local function print(...)
  for index = 1, select('#', ...) do
    if index > 1 then write('\t') end
    write(tostring((select(index, ...))))
  end
  write('\n')
end

local function quoted(text)
  if not utf8_len(text) then text = gsub(text, '[\128-\255]', '?') end
  text = gsub(text, '[%c"\\]', function(c) return format('\\u%04x', byte(c)) end)
  return '"' .. text .. '"'
end

-- The length of a table whose keys are all positive whole numbers, with few missing.
local function list_length(value)
  local count, last = 0, 0
  for key in next, value do
    if math_type(key) ~= 'integer' or key < 1 then return nil end
    count = count + 1
    if key > last then last = key end
  end
  if count == 0 then return getmetatable(value) == list_mark and 0 or nil end
  return last <= 2 * count + HOLES and last or nil
end

-- What is thrown for a value that JSON cannot carry, and the keys on the way to it.
local refusal, way_in = {}, {}

local function shown_key(key)
  return type(key) == 'string' and "'" .. key .. "'" or tostring(key)
end

local function refuse(what, depth)
  local where = 'the result'
  for index = 1, depth do where = where .. '[' .. shown_key(way_in[index]) .. ']' end
  refusal.message = gsub(what, 'WHERE', function() return #where > 200 and sub(where, 1, 80) .. '…' or where end)
  error(refusal, 0)
end

local function json(value, depth)
  local kind = type(value)
  if kind == 'nil' then return 'null' end
  if kind == 'boolean' then return tostring(value) end
  if kind == 'number' then
    if math_type(value) == 'integer' then
      return -MAX_EXACT < value and value < MAX_EXACT and tostring(value) or quoted(tostring(value))
    end
    if value ~= value or value == 1 / 0 or value == -1 / 0 then
      refuse('WHERE is ' .. tostring(value) .. ', which a state cannot hold', depth)
    end
    return format('%.17g', value)
  end
  if kind == 'string' then return quoted(value) end
  if kind ~= 'table' then refuse('WHERE is a ' .. kind .. ', which a state cannot hold', depth) end
  if depth >= MAX_DEPTH then refuse('WHERE is nested deeper than a state can hold', depth) end
  local parts, length = {}, list_length(value)
  if length then
    for index = 1, length do
      way_in[depth + 1] = index
      parts[index] = json(rawget(value, index), depth + 1)
    end
    return '[' .. concat(parts, ',') .. ']'
  end
  for key, member in next, value do
    if type(key) == 'table' or type(key) == 'function' or type(key) == 'thread' then
      refuse('a key of WHERE is a ' .. type(key) .. ', which a state cannot hold', depth)
    end
    way_in[depth + 1] = key
    parts[#parts + 1] = quoted(tostring(key)) .. ':' .. json(member, depth + 1)
  end
  sort(parts)
  return '{' .. concat(parts, ',') .. '}'
end

local function described(raised)
  if raised == refusal then return refusal end
  local shown, message = pcall(tostring, raised)
  if not shown then message = type(raised) end
  local line, rest = match(message, '^<code>:(%d+): (.*)$')
  local way = {}
  for part in gmatch(traceback('', 2), '[^\n]+') do
    if find(part, '<code>:', 1, true) then way[#way + 1] = match(part, '^%s*(.*)$') end
  end
  return { rest or message, line, concat(way, '\n') }
end

local sandboxed_load = function(chunk, name, mode, ...)
  if select('#', ...) > 0 then return load(chunk, name, 't', ...) end
  return load(chunk, name, 't')
end
local given_os = os
for _, name in next, { 'package', 'require', 'dofile', 'loadfile', 'debug', 'io', 'os', 'warn' } do _G[name] = nil end
string.dump = nil
_G.print, _G.load = print, sandboxed_load
io = { write = put, stdout = { write = function(_, ...) put(...) end } }
os = { time = given_os.time, date = given_os.date, clock = given_os.clock, difftime = given_os.difftime }
math.randomseed(0)
for name, value in next, inputs do
  if find(name, '^[%a_][%w_]*$') and name ~= '_G' then _G[name] = value end
end

local chunk, complaint = load('return ' .. code, '=<code>', 't')
if not chunk then chunk, complaint = load(code, '=<code>', 't') end
if not chunk then
  local line, message = match(complaint, '^<code>:(%d+): (.*)$')
  return 'null', 'SyntaxError', message or complaint, line, ''
end
local ended, outcome = xpcall(function() return json((chunk()), 0) end, described)
if ended then return outcome end
if outcome == refusal then return 'null', 'StateError', refusal.message, nil, '' end
if type(outcome) ~= 'table' then return 'null', 'LuaError', tostring(outcome), nil, '' end
return 'null', 'LuaError', outcome[1], outcome[2], outcome[3]
`
