import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandRule } from '../../src/code/tools/code-tool.ts'
import { type ToolWorld, toolWorld } from '../code/tool-world.ts'

/** A folder with links out of it, and with programs that are called like others. */
let world: ToolWorld
const place = (way: string) => join(dirname(world.folder), way)

beforeAll(async () => {
  world = await toolWorld()
  const files = {
    ...{ 'outside/told.txt': 'OUTSIDE', 'outside/inner/a.txt': 'OUTSIDE', 'work/a.txt': 'a' },
    ...{
      'work/a/b/c.txt': 'c',
      'work/private/key.pem': 'KEY',
      'work/.env': 'KEY',
      'work/x:y': 'x',
    },
    ...{ 'work/bin/ls': '#!/bin/sh\ntouch ran', 'work/100': 'x' },
  }
  for (const [way, text] of Object.entries(files)) {
    mkdirSync(dirname(place(way)), { recursive: true })
    writeFileSync(place(way), `${text}\n`)
  }
  chmodSync(place('work/bin/ls'), 0o755)
  const links = {
    ...{ out: '../outside', inner: '../outside/inner', 'told.txt': '../outside/told.txt' },
    ...{ '-v': '../outside/told.txt', 'k:v': '../outside/told.txt', 'a/up': '..' },
    ...{
      here: '/proc/self/cwd/../../../..',
      env: '/proc/self/environ',
      fd: '/dev/fd',
      '12345678901': 'told.txt',
    },
    ...{ loop: 'loop', 'a/down': 'b' },
  }
  for (const [way, target] of Object.entries(links)) symlinkSync(target, place(`work/${way}`))
})
afterAll(async () => {
  await world.close()
  rmSync(dirname(world.folder), { recursive: true })
})

/** The lines of a table, which has a case on each; `#` begins a comment. */
const linesOf = (table: string) =>
  readFileSync(new URL(`lines/${table}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

/** What is said of a line by the tools of a world. */
const verdictIn = ({ tool }: ToolWorld, command: string, cwd = '.') => {
  const parsed = tool('bash').parse({ command, cwd })
  return parsed.ok ? tool('bash').judge?.(parsed.value).verdict : 'invalid'
}

describe('a command that only reads is let through', () => {
  it.each(linesOf('let-through'))('%s', (line) => expect(verdictIn(world, line)).toBe('allow'))
})

describe('a command is refused that holds', () => {
  it.each(['cat\u00a0a.txt', 'cat a.txt\u00a0', 'cat a.txt\u2003b', 'cat\ra.txt', 'ls\u0085'])(
    'a character that nobody sees: %j',
    (line) => expect(verdictIn(world, line)).toBe('invalid'),
  )
})

describe('a command is asked about that may', () => {
  it.each([...linesOf('asked'), 'cat `ls`', 'cat <<X\na\nX', 'ls\\\n'])('do more: %s', (line) =>
    expect(verdictIn(world, line)).toBe('ask'),
  )

  it('find other files there than now, after what the line does before', async () => {
    const rules = ['ln *', 'export *', 'npm *'].map((rule) => ({ rule, verdict: 'allow' as const }))
    const ruled = await toolWorld({ workspace: world.folder, rules })
    const asked = [
      'ln -sf ../outside/told.txt a.txt; cat a.txt',
      'ln -s ../outside x && cd x && ls',
      'cat a.txt | ln -sf ../outside/told.txt a.txt',
      'cat a.txt & ln -sf ../outside/told.txt a.txt',
      'export PATH=bin:$PATH; ls',
      'export PATH=bin && npm ls | head',
      'npm run x; git status',
    ]
    expect(asked.map((line) => [line, verdictIn(ruled, line)])).toEqual(
      asked.map((line) => [line, 'ask']),
    )
    const free = [
      'npm test 2>&1 | tail -20',
      'cat a.txt && npm test',
      'cd a && npm test | grep -c ok',
    ]
    expect(free.map((line) => [line, verdictIn(ruled, line)])).toEqual(
      free.map((line) => [line, 'allow']),
    )
    await ruled.close()
  })

  it.each(['bin', './bin', '.', '', 'WORK/bin', 'OUTSIDE/bin'])(
    'run a program of the folder, by the PATH entry "%s"',
    async (entry) => {
      const links = place('outside/bin')
      rmSync(links, { force: true })
      symlinkSync(place('work/bin'), links)
      const written = entry.replace('WORK', world.folder).replace('OUTSIDE', place('outside'))
      const environment = { PATH: `${written}:${process.env.PATH}` }
      const own = await toolWorld({ workspace: world.folder, environment })
      expect(verdictIn(own, 'cd bin && ls')).toBe('ask')
      expect(verdictIn(own, 'cat a.txt')).toBe('allow')
      await own.close()
    },
  )

  it('read what belongs to processes, also where the whole machine is the workspace', async () => {
    const whole = await toolWorld({ workspace: '/' })
    const closed = ['self', String(process.pid), 'thread-self', '1'].flatMap((id) =>
      ['environ', 'mem', 'maps', 'fd/0', 'root/etc/passwd', 'cwd'].map(
        (file) => `/proc/${id}/${file}`,
      ),
    )
    const links = [
      place('work/env'),
      place('work/here'),
      '/dev/fd/0',
      '/dev/stdin',
      '/proc/self',
      '/dev/zero',
      '/dev/tcp/127.0.0.1/9',
      '/dev/udp/127.0.0.1/9',
    ]
    for (const path of [...closed, ...links])
      for (const line of [`cat ${path}`, `head -c9 < ${path}`, `cd ${path}`, `ls ${path}`])
        expect([line, verdictIn(whole, line)]).toEqual([line, 'ask'])
    expect(verdictIn(whole, 'cat /etc/hostname')).toBe('allow')
    await whole.close()
  })
})

describe('"always" is offered', () => {
  const offered = (command: string) =>
    world
      .tool('bash')
      .judge?.({ command, cwd: '.' })
      .always.map(({ rule }) => rule)

  it.each([
    'cat a.txt | sh',
    'sh',
    'python3 < a.txt',
    'cat a.txt | python3 -',
    'cat a.txt | sudo bash -s x',
    'ls | xargs touch',
    'cat a.txt | ssh host',
    'node <<< x',
    'cat a.txt | make -f -',
  ])('for no program that does what it is given to read: %s', (line) =>
    expect(offered(line)).toEqual([]),
  )

  it.each(['npm test', 'sh a.txt', 'python3 -m pytest', 'jq . a.txt', 'ssh host ls', 'npm i zsh'])(
    'for %s',
    (line) => expect(offered(line)).toEqual([line]),
  )
})

const allowAll: CommandRule = { rule: '*', verdict: 'allow' }

describe('a rule that forbids, where all else is let through,', () => {
  let ruled: ToolWorld
  beforeAll(async () => {
    const rules = [
      allowAll,
      ...['rm *', 'git push *'].map((rule) => ({ rule, verdict: 'deny' as const })),
    ]
    ruled = await toolWorld({ rules })
  })
  afterAll(() => ruled.close())

  it.each(linesOf('denied'))('denies %s', (line) => expect(verdictIn(ruled, line)).toBe('deny'))

  it.each([...linesOf('left-to-a-person'), 'cat <<X\n$(rm a)\nX', 'echo `rm a`', 'x '.repeat(600)])(
    'leaves to a person: %s',
    (line) => {
      const parsed = ruled.tool('bash').parse({ command: line })
      const judgement = parsed.ok ? ruled.tool('bash').judge?.(parsed.value) : undefined
      expect(judgement).toMatchObject({ verdict: 'ask', mayBeDenied: true, always: [] })
    },
  )

  it.each(linesOf('not-denied'))('lets %s through', (line) =>
    expect(verdictIn(ruled, line)).toBe('allow'),
  )

  it('is found out soon, also in lines that are made to take long', () => {
    const lines = [
      'env ',
      'sh -c ',
      'xargs ',
      'find . -exec ',
      'git -c a=b ',
      '"env env" ',
      'nice "sh -c ls" ',
    ]
    for (const part of lines) {
      const line = part.repeat(Math.floor(19_000 / part.length))
      expect(verdictIn(ruled, `env ${line}`)).not.toBe('invalid')
    }
  }, 30_000)
})

describe('nothing', () => {
  it('was made by any of that', () => {
    expect(readdirSync(world.folder)).not.toContain('ran')
  })
})
