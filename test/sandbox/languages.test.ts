import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'
import type { SandboxResult } from '../../src/tools/sandbox/sandbox-result.ts'
import { javascriptAttacks } from './attacks-javascript.ts'
import { luaAttacks } from './attacks-lua.ts'
import { prologAttacks } from './attacks-prolog.ts'

const sandbox = createSandbox({ limits: { wallMs: 1_500 } })
const session = sandbox.openSession()
/** For code that has to end by itself, however slow the machine is. */
const patient = createSandbox({ limits: { wallMs: 60_000 } })
const patientSession = patient.openSession()
const never = new AbortController().signal
const target = join(tmpdir(), `scholium-escape-languages-${process.pid}`)
let connections = 0
const server = createServer((socket) => {
  connections++
  socket.destroy()
})

type Other = 'lua' | 'prolog' | 'javascript'
const run = (language: Other, code: string, input = {}): Promise<SandboxResult> =>
  session.run({ language, code, input }, never)
const runThrough = (language: Other, code: string, input = {}): Promise<SandboxResult> =>
  patientSession.run({ language, code, input }, never)

beforeAll(async () => {
  process.env.SCHOLIUM_SECRET = 'secret'
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  delete process.env.SCHOLIUM_SECRET
  server.close()
  await sandbox.close()
  await patient.close()
})

/** Whether code came to nothing: it failed, was ended, or its value is none. */
function isHarmless({ value, error }: SandboxResult): boolean {
  const harm = Array.isArray(value) ? value.length > 0 : value
  return error !== null || harm === null || harm === false || harm === ''
}

describe.each([
  ['lua', luaAttacks],
  ['javascript', javascriptAttacks],
  ['prolog', prologAttacks],
] as const)('%s in the sandbox', (language, attacks) => {
  it('gets nothing by what it tries', async () => {
    const { port } = server.address() as { readonly port: number }
    const input = { PORT: port, TARGET: target, state: { port, target } }
    const harmful: string[] = []
    for (const [name, code] of Object.entries(attacks)) {
      const result = await run(language, code, input)
      const isKnown = result.error?.type !== 'SyntaxError'
      if (!isHarmless(result) || !isKnown) harmful.push(`${name}: ${JSON.stringify(result)}`)
    }
    expect(harmful).toEqual([])
    expect(connections).toBe(0)
    expect(existsSync(target)).toBe(false)
  }, 90_000)
})

describe.each([
  ['lua', 'print("before") while true do end', 'return 7'],
  ['javascript', 'console.log("before"); for (;;);', 'return 7'],
  ['prolog', 'writeln(before), repeat, fail.', 'X = 7.'],
] as const)('the limits of %s', (language, loop, after) => {
  it('end a loop without end, keep what was printed, and let the next run be', async () => {
    const { output, error } = await run(language, loop)
    expect(error).toMatchObject({ type: 'TimeLimitExceeded' })
    expect(output).toBe('before\n')
    expect((await run(language, after)).value).toEqual(language === 'prolog' ? [{ X: 7 }] : 7)
  }, 90_000)
})

describe.each([
  ['lua', 'local t = {} while true do t[#t + 1] = string.rep("x", 1000000) .. #t end'],
  ['javascript', 'const kept = []; for (;;) kept.push(new Uint8Array(1e6).fill(1))'],
  ['prolog', 'length(L, 100000000).'],
] as const)('the memory of %s', (language, code) => {
  it('ends, and the code with it', async () => {
    const { value, error } = await run(language, code)
    expect(value).toBeNull()
    expect(error?.type).toBeOneOf(['MemoryError', 'MemoryLimitExceeded', 'TimeLimitExceeded'])
  }, 90_000)
})

describe.each([
  ['lua', 'for i = 1, 20000 do print(i) end'],
  ['javascript', 'for (let i = 1; i <= 20000; i++) console.log(i)'],
  ['prolog', 'forall(between(1, 20000, X), writeln(X)).'],
] as const)('the output of %s', (language, code) => {
  it('is cut in the middle', async () => {
    const { output, error } = await runThrough(language, code)
    expect(error).toBeNull()
    expect(output.length).toBeLessThan(66_000)
    expect(output).toMatch(/^1\n2\n3\n[\s\S]*\n… \d+ bytes cut …\n[\s\S]*\n20000\n$/)
  }, 90_000)
})

describe.each([
  ['lua', 'local function f(n) return 1 + f(n) end return f(1)', 'LuaError'],
  ['javascript', 'function f() { return 1 + f() }\nf()', 'InternalError'],
  ['prolog', 'f(X, [X|T]) :- f([X], T), g.\nf(1, L).', 'MemoryError'],
] as const)('recursion without end in %s', (language, code, type) => {
  it('is an error', async () => {
    const { error } = await run(language, code)
    expect(error?.type).toBeOneOf([type, 'RecursionError', 'SandboxCrashed', 'TimeLimitExceeded'])
  }, 90_000)
})

it('what nests deeper than the interpreter of JavaScript follows is an error that says so', async () => {
  const code = 'let a = []\nfor (let i = 0; i < 100000; i++) a = [a]\nJSON.stringify(a).length'
  const { error } = await runThrough('javascript', code)
  expect(error).toMatchObject({
    type: 'RecursionError',
    message: expect.stringContaining('nests too deeply'),
  })
}, 90_000)

it('a value of JavaScript that nests deeper than a result can is an error', async () => {
  const nested = (depth: number) =>
    `let a = '[[{\\\\"[['\nfor (let i = 0; i < ${depth}; i++) a = [a]\na`
  const { error } = await runThrough('javascript', nested(2_000))
  expect(error).toMatchObject({
    type: 'RecursionError',
    message: 'What the code gives is nested deeper than 1,000 values in one another.',
  })
  const { value } = await runThrough('javascript', nested(1_000))
  expect(JSON.stringify(value)).toHaveLength(2_000 + JSON.stringify('[[{\\"[[').length)
}, 90_000)

const hostile =
  JSON.parse(`{"__proto__": {"polluted": true}, "constructor": 1, "a b": 2, "x;y": 3, "": 4, "__builtins__": {},
  "_G": 5, "globalThis": 6, "assertz": 7, "length": 8, "if": 9, "end": 10, "good": {"__proto__": 1, "it's": [null, true]}}`)

describe('input with hostile names', () => {
  it.each([
    [
      'lua',
      `return { good['__proto__'], good["it's"], type(_G), math.pi > 3 }`,
      [1, [null, true], 'table', true],
    ],
    [
      'javascript',
      `[Object.hasOwn(good, '__proto__'), good["it's"], ({}).polluted === undefined, typeof globalThis]`,
      [true, [null, true], true, 'object'],
    ],
    [
      'prolog',
      `findall(K, good(K, _), Ks), good('it''s', V), length(Ks, N), \\+ catch(length(8), _, fail).`,
      [{ Ks: ['__proto__', "it's"], V: [null, true], N: 2 }],
    ],
  ] as [Other, string, Json][])(
    'leaves %s as it is',
    async (language, code, expected) => {
      const { value, error } = await runThrough(language, code, hostile)
      expect(error).toBeNull()
      expect(value).toEqual(expected)
    },
    90_000,
  )
})
