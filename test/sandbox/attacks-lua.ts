/** Lua that tries to get out: each returns what it got. */
export const luaAttacks: Readonly<Record<string, string>> = {
  'reads a file': `return io.open('/etc/hostname'):read('a')`,
  'reads lines of a file': `return io.lines('/etc/hostname')()`,
  'reads its input': `return io.read('a')`,
  'writes a file': `return io.output(TARGET)`,
  'loads a file': `return dofile('/etc/hostname') or loadfile('/etc/hostname')`,
  'starts a process': `return os.execute('touch ' .. TARGET)`,
  'opens a pipe to a process': `return io.popen('id'):read('a')`,
  'reads a variable of the environment': `return os.getenv('SCHOLIUM_SECRET') or os.getenv('PATH')`,
  'removes a file': `return os.remove('/tmp/x') or os.rename('/tmp/x', '/tmp/y') or os.tmpname()`,
  ends: `return os.exit(0, true)`,
  'requires a module': `return require('socket')`,
  'loads a library': `return package.loadlib('/lib/libc.so.6', '*')`,
  'opens a socket': `return require('socket').connect('127.0.0.1', PORT)`,
  'looks into its callers': `return debug.getregistry() or debug.getinfo(1)`,
  'runs bytecode': `return load('\\27Lua')() or string.dump(print)`,
  'finds objects of the host': `
local found = {}
for name, value in pairs(_G) do
  if type(value) == 'userdata' or name == 'js' or name == 'null' or name == 'process' then found[#found + 1] = name end
end
return #found > 0 and found`,
  'finds them in a metatable': `return type(getmetatable(print)) == 'table' or type(getmetatable('').__index) == 'userdata'`,
  'finds them in what it was given': `return getmetatable(PORT) or type(TARGET) == 'userdata'`,
  'takes the way of an error out': `
local ok, raised = pcall(error, setmetatable({}, { __tostring = function() error('again') end }))
return type(raised) == 'userdata'`,
  'finds what runs it': `
local harm
pcall(function() setmetatable(_G, { __index = function(_, name) harm = name end }) return write end)
return harm == 'code'`,
}
