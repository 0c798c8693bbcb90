import { afterAll, describe, expect, it } from 'vitest'
import type { SandboxLanguage } from '../../src/tools/sandbox/language-package.ts'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'
import { childrenOf, eventually } from './children.ts'

const sandbox = createSandbox({ limits: { wallMs: 6_000 } })
const session = sandbox.openSession()
const never = new AbortController().signal
const state = { value: 21, name: 'é', items: [1, 'a', []], inner: { half: 0.5 }, yes: true }
const run = (language: SandboxLanguage, code: string, input = {}) =>
  session.run({ language, code, input }, never)

afterAll(() => sandbox.close())

describe('the input of code', () => {
  it.each([
    [
      'python',
      `
doubled = state["value"] * 2
if doubled > 40:
  return {"doubled": doubled, "rest": [state["name"], state["items"], state["inner"]["half"], state["yes"]]}
return {}`,
    ],
    [
      'lua',
      `
local result = { doubled = state.value * 2 }
result.rest = { state.name, state.items, state.inner.half, state.yes }
return result`,
    ],
    [
      'javascript',
      `
const doubled = state.value * 2
return { doubled, rest: [state.name, state.items, state.inner.half, state.yes] }`,
    ],
    [
      'prolog',
      `
state(value, V), state(name, Name), state(items, Items), state(inner, Inner), state(yes, Yes),
get_dict(half, Inner, Half),
Doubled is V * 2,
return(doubled, Doubled),
return(rest, [Name, Items, Half, Yes]).`,
    ],
  ] as const)(
    'is there in %s, and what is returned is the value',
    async (language, code) => {
      const { value, error } = await run(language, code, { state, 'no name': 1 })
      expect(error).toBeNull()
      expect(value).toEqual({ doubled: 42, rest: ['é', [1, 'a', []], 0.5, true] })
    },
    90_000,
  )

  it.each([
    ['python', 'print("a", end="")\nitem + 1'],
    ['lua', 'io.write("a") return item + 1'],
    ['javascript', 'console.log("a")\nitem + 1'],
    ['prolog', 'item(I), write(a), X is I + 1.'],
  ] as const)(
    'may be a single value in %s, and the last expression is the value',
    async (language, code) => {
      const { value, output } = await run(language, code, { item: 6 })
      expect(value).toEqual(language === 'prolog' ? [{ I: 6, X: 7 }] : 7)
      expect(output.trim()).toBe('a')
    },
    90_000,
  )
})

describe('an error', () => {
  it.each([
    ['python', 'x = 1\nreturn x / 0', 'ZeroDivisionError', 2],
    ['python', 'return 1\nx = (2', 'SyntaxError', 2],
    ['lua', 'local x = 1\nerror("no")', 'LuaError', 2],
    ['lua', 'local x = 1\nlocal = 2', 'SyntaxError', 2],
    ['javascript', 'const x = 1\nthrow new RangeError("no")', 'RangeError', 2],
    ['javascript', 'const x = 1\nreturn x.y.z', 'TypeError', 2],
    ['javascript', 'const x = 1\nconst = 2', 'SyntaxError', 2],
    ['prolog', 'X = 1.\natom_length(Y, Z).', 'instantiation_error', 2],
    ['prolog', 'p(a).\np(b) :- .', 'SyntaxError', 2],
    ['prolog', 'p(a).\n1 > 2.\nq(a).', 'GoalFailed', 2],
  ] as const)(
    'of %s in %j has its name and its line',
    async (language, code, type, line) => {
      expect(await run(language, code)).toMatchObject({ value: null, error: { type, line } })
    },
    90_000,
  )
})

describe('Prolog', () => {
  it('adds facts and rules, reads what it gets, and answers the last goal', async () => {
    const code = `
parent(alice, bob).
parent(bob, eve).
:- dynamic seen/1.
grandparent(X, Z) :- parent(X, Y), parent(Y, Z).
list([]) --> [].
% A comment.
tea_load_code('parent(eve, zoe). older(X, Y) :- grandparent(X, Y).').
older(X, _Y), \\+ seen(X)`
    expect((await run('prolog', code)).value).toEqual([{ X: 'alice' }, { X: 'bob' }])
    expect((await run('prolog', 'parent(alice, X).')).error?.type).toBe('existence_error')
  }, 90_000)

  it('takes texts as atoms, and clauses with variables as clauses where more follows', async () => {
    const code = `
:- dynamic rate/3.
rate(_, [], none).
rate(Day, [[Day, Rate]|_], Rate) :- !.
rate(Day, [_|Rest], Rate) :- rate(Day, Rest, Rate).
same(X, X).
state(kind, Kind), state(days, Days), state(inner, Inner),
( Kind = 'two words', member(mon, Days), get_dict(of, Inner, atom) -> Known = yes ; Known = no ),
rate(tue, [[mon, 1], [tue, 2]], Rate), same(Same, 7),
return(all, [Known, Rate, Same]).
% The end.`
    const state = { kind: 'two words', days: ['sun', 'mon'], inner: { of: 'atom' } }
    expect((await run('prolog', code, { state })).value).toEqual({ all: ['yes', 2, 7] })
  }, 90_000)

  it('solves constraints, and tells dicts, terms and numbers as JSON', async () => {
    const code = `
X in 1..9, X * X #= 49, label([X]),
return(x, X),
return(dict, _{text: "s", atom: a, inner: _{list: [1, 2.5, null, true]}, term: f(A, "b")}).`
    const { value } = await run('prolog', code)
    expect(value).toMatchObject({
      x: 7,
      dict: { text: 's', atom: 'a', inner: { list: [1, 2.5, null, true] } },
    })
  }, 90_000)
})

describe('a session', () => {
  it.each([
    [
      'python',
      'import json\nx = 1; json.left = 1',
      `import json\n"x" in globals() or hasattr(json, "left")`,
    ],
    ['lua', 'x = 1; string.left = 1', 'return x ~= nil or string.left ~= nil'],
    [
      'javascript',
      'globalThis.x = 1; Array.prototype.left = 1',
      'typeof x !== "undefined" || [].left !== undefined',
    ],
    [
      'prolog',
      'x(1).\n:- op(700, xfx, left), nb_setval(x, 1).',
      'catch(x(1), _, fail) ; nb_current(x, 1) ; current_op(_, _, left)',
    ],
  ] as const)(
    'has a fresh namespace for each run of %s',
    async (language, leave, find) => {
      expect((await run(language, leave)).error).toBeNull()
      expect((await run(language, find)).value).toBeOneOf([false, []])
    },
    90_000,
  )

  it('puts back modules, builtins, settings and files of Python', async () => {
    const leave = `
import builtins, json, os, sys, random, statistics
builtins.ascii = None; builtins.left = 1; json.loads = None; statistics.left = 1; os.environ['LEFT'] = '1'
sys.path.append('/left'); sys.setrecursionlimit(77); sys.modules['left'] = json; random.seed(5)
os.mkdir('/tmp/left'); open('/tmp/left/file', 'w').write('x'); os.chdir('/tmp/left'); plot.line([1, 2])
sys.stdout = open('/tmp/out', 'w'); left = 1`
    const find = `
import builtins, json, os, sys, random, statistics
print('here')
[ascii('é'), hasattr(builtins, 'left'), json.loads('1'), hasattr(statistics, 'left'), os.environ.get('LEFT'),
 '/left' in sys.path, sys.getrecursionlimit() > 500, 'left' in sys.modules, random.random(), os.path.exists('/tmp/left'),
 os.path.exists('/tmp/out'), 'left' in globals()]`
    const before = (await run('python', find)).value
    expect((await run('python', leave)).error).toBeNull()
    const { value, output, figures } = await run('python', find)
    expect(value).toEqual(before)
    expect(value).toEqual([
      "'\\xe9'",
      false,
      1,
      false,
      null,
      false,
      true,
      false,
      expect.any(Number),
      false,
      false,
      false,
    ])
    expect([output, figures]).toEqual(['here\n', []])
  }, 90_000)

  it('runs one after the other what is asked at once', async () => {
    const codes = Array.from({ length: 5 }, (_, index) => index)
    const results = await Promise.all(
      codes.map((index) => run('lua', `print(${index}) return ${index}`)),
    )
    expect(results.map(({ value }) => value)).toEqual(codes)
    expect(results.map(({ output }) => output)).toEqual(codes.map((index) => `${index}\n`))
  }, 90_000)

  it('does not know what another session has', async () => {
    const other = sandbox.openSession()
    await run('lua', 'shared = 1')
    expect((await other.run({ language: 'lua', code: 'return shared' }, never)).value).toBeNull()
    await other.close()
    await expect(other.run({ language: 'lua', code: '1' }, never)).rejects.toMatchObject({
      code: 'cancelled',
    })
  }, 90_000)
})

describe.skipIf(process.platform !== 'linux')('the process of a session (needs /proc)', () => {
  it('stays for its next run, is another one after a limit, and ends with it', async () => {
    const own = createSandbox({ limits: { wallMs: 3_000 } })
    const lua = own.openSession()
    const before = childrenOf(process.pid)
    const started = () => childrenOf(process.pid).filter((pid) => !before.includes(pid))
    const runLua = (code: string) => lua.run({ language: 'lua', code }, never)
    await runLua('1')
    const first = started()
    await runLua('2')
    expect(first).toHaveLength(1)
    expect(started()).toEqual(first)
    expect((await runLua('while true do end')).error?.type).toBe('TimeLimitExceeded')
    expect(started()).toEqual([])
    expect((await runLua('return 3')).value).toBe(3)
    const second = started()
    expect(second).toHaveLength(1)
    expect(second).not.toEqual(first)
    process.kill(second[0] as number, 'SIGKILL')
    expect(await eventually(() => started().length === 0)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await runLua('return 4')).value).toBe(4)
    await own.close()
    expect(started()).toEqual([])
    await expect(runLua('1')).rejects.toMatchObject({ code: 'cancelled' })
  }, 90_000)
})
