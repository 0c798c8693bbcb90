import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as Wasmoon from 'wasmoon'
import type { LoadedLanguage, RunRequest } from './language.ts'
import { luaRun } from './lua-run.ts'
import type { Output } from './output.ts'
import { outOfMemory, type RunError, runText } from './run-text.ts'

const maxDepth = 200
const pointerBytes = 4

/**
 * Lua 5.4 (wasmoon's build). Each run has its own state; only texts pass between Lua and JavaScript, so that Lua never
 * holds a host object.
 */
export async function loadLua([packageFolder = '']: readonly string[]): Promise<LoadedLanguage> {
  const load = createRequire(join(packageFolder, 'package.json'))
  const { LuaFactory } = load('./dist/index.js') as typeof Wasmoon
  const lua = (await new LuaFactory(
    join(packageFolder, 'dist/glue.wasm'),
  ).getLuaModule()) as unknown as RawLua
  let output: Output | undefined
  const write = lua.module.addFunction((state: number) => {
    output?.write(bytesAt(lua, state, 1))
    return 0
  }, 'ii')
  return {
    run(request, into) {
      output = into
      const state = lua.luaL_newstate()
      try {
        return runIn(lua, state, write, request)
      } finally {
        output = undefined
        lua.lua_close(state)
      }
    },
    async renew() {},
  }
}

/** The part of wasmoon's C bindings used here. */
interface RawLua
  extends Pick<
    Wasmoon.LuaWasm,
    | 'luaL_newstate'
    | 'luaL_openlibs'
    | 'luaL_loadbufferx'
    | 'lua_close'
    | 'lua_createtable'
    | 'lua_pcallk'
    | 'lua_pushboolean'
    | 'lua_pushcclosure'
    | 'lua_pushinteger'
    | 'lua_pushlstring'
    | 'lua_pushnil'
    | 'lua_pushnumber'
    | 'lua_pushvalue'
    | 'lua_rawset'
    | 'lua_rawseti'
    | 'lua_setmetatable'
    | 'lua_checkstack'
    | 'lua_settop'
    | 'lua_type'
  > {
  readonly module: {
    readonly HEAPU8: Uint8Array
    readonly HEAPU32: Uint32Array
    addFunction(call: (state: number) => number, signature: string): number
    _malloc(sizeBytes: number): number
    _free(pointer: number): void
    _lua_tolstring(state: number, index: number, length: number): number
  }
}

const isOk = 0
const listMark = 5

function runIn(lua: RawLua, state: number, write: number, request: RunRequest): string {
  lua.luaL_openlibs(state)
  loadChunk(lua, state)
  lua.lua_pushcclosure(state, write, 0)
  pushText(lua, state, request.code)
  lua.lua_createtable(state, 0, 0)
  // The list marker is also below the chunk's arguments, for lists in the input.
  lua.lua_createtable(state, 0, 0)
  pushInputs(lua, state, JSON.parse(request.inputJson))
  const outcome = lua.lua_pcallk(state, 4, 5, 0, 0, null)
  const { memoryMb, valueCharacters } = request
  if (outcome !== isOk) {
    const message = textAt(lua, state, -1) ?? 'It ended without saying why.'
    return runText('null', raised('LuaError', message, null, '', memoryMb), valueCharacters)
  }
  const [value, type, message, line, traceback] = [-5, -4, -3, -2, -1].map((index) =>
    textAt(lua, state, index),
  )
  const error =
    type === undefined
      ? null
      : raised(
          type,
          message ?? '',
          line === undefined ? null : Number(line),
          traceback ?? '',
          memoryMb,
        )
  return runText(value ?? 'null', error, valueCharacters)
}

function raised(
  type: string,
  message: string,
  line: number | null,
  traceback: string,
  memoryMb: number,
): RunError {
  if (message === 'not enough memory') return outOfMemory(memoryMb, 'Lua')
  return { type, message, line, traceback }
}

function loadChunk(lua: RawLua, state: number): void {
  const bytes = new TextEncoder().encode(luaRun)
  const pointer = copied(lua, bytes)
  const outcome = lua.luaL_loadbufferx(state, pointer, bytes.length, '=sandbox', 't')
  lua.module._free(pointer)
  if (outcome !== isOk) throw new Error(textAt(lua, state, -1))
}

/** Sets the inputs in the table below the topmost one. */
function pushInputs(lua: RawLua, state: number, inputs: object): void {
  for (const [name, value] of Object.entries(inputs)) {
    pushText(lua, state, name)
    pushJson(lua, state, value, 0)
    lua.lua_rawset(state, listMark - 1)
  }
}

function pushJson(lua: RawLua, state: number, value: unknown, depth: number): void {
  if (!lua.lua_checkstack(state, 4) || depth > maxDepth) throw new Error('The input is too deep.')
  if (typeof value === 'string') pushText(lua, state, value)
  else if (typeof value === 'boolean') lua.lua_pushboolean(state, value ? 1 : 0)
  else if (Number.isSafeInteger(value)) lua.lua_pushinteger(state, BigInt(value as number))
  else if (typeof value === 'number') lua.lua_pushnumber(state, value)
  else if (Array.isArray(value)) pushList(lua, state, value, depth)
  else if (value === null || typeof value !== 'object') lua.lua_pushnil(state)
  else {
    lua.lua_createtable(state, 0, 0)
    for (const [name, member] of Object.entries(value)) {
      pushText(lua, state, name)
      pushJson(lua, state, member, depth + 1)
      lua.lua_rawset(state, -3)
    }
  }
}

function pushList(lua: RawLua, state: number, list: readonly unknown[], depth: number): void {
  lua.lua_createtable(state, list.length, 0)
  for (const [index, item] of list.entries()) {
    pushJson(lua, state, item, depth + 1)
    lua.lua_rawseti(state, -2, BigInt(index + 1))
  }
  lua.lua_pushvalue(state, listMark)
  lua.lua_setmetatable(state, -2)
}

function pushText(lua: RawLua, state: number, text: string): void {
  const bytes = new TextEncoder().encode(text)
  const pointer = copied(lua, bytes)
  lua.lua_pushlstring(state, pointer, bytes.length)
  lua.module._free(pointer)
}

function copied(lua: RawLua, bytes: Uint8Array): number {
  const pointer = lua.module._malloc(bytes.length + 1)
  if (pointer === 0) throw new Error('There is no memory for the code and its input.')
  lua.module.HEAPU8.set(bytes, pointer)
  return pointer
}

function textAt(lua: RawLua, state: number, index: number): string | undefined {
  // nil has no text.
  if (lua.lua_type(state, index) <= 0) return undefined
  return new TextDecoder().decode(bytesAt(lua, state, index))
}

function bytesAt(lua: RawLua, state: number, index: number): Uint8Array {
  const length = lua.module._malloc(pointerBytes)
  const pointer = lua.module._lua_tolstring(state, index, length)
  const sizeBytes = lua.module.HEAPU32[length / pointerBytes] ?? 0
  lua.module._free(length)
  return pointer === 0 ? new Uint8Array() : lua.module.HEAPU8.slice(pointer, pointer + sizeBytes)
}
