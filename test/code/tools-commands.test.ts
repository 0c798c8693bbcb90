import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCommandEnvironment } from '../../src/code/tools/processes/command-environment.ts'
import type { JobLook } from '../../src/code/tools/processes/jobs.ts'
import { createOutputTail } from '../../src/code/tools/processes/process-output.ts'
import type { CommandOutcome } from '../../src/code/tools/processes/run-command.ts'
import type { Json } from '../../src/kernel/json.ts'
import { redactSecrets } from '../../src/kernel/run/secrets.ts'
import { type ToolWorld, toolWorld } from './tool-world.ts'

let world: ToolWorld
beforeEach(async () => {
  world = await toolWorld()
})
afterEach(() => world.close())

const run = (command: string, more: object = {}, signal?: AbortSignal) =>
  world.call<CommandOutcome>('bash', { command, ...more }, signal)
const numbers = (text: string) => (text.match(/\d+/g) ?? []).map(Number)
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** A process that has ended but that nobody has asked for yet counts as gone. */
async function areGone(pids: readonly number[], withinMs = 5_000) {
  const isZombie = async (pid: number) =>
    /\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += 50) {
    const left = await Promise.all(pids.map(async (pid) => isAlive(pid) && !(await isZombie(pid))))
    if (!left.includes(true)) return true
    await sleep(50)
  }
  return false
}

describe('bash', () => {
  it('gives what is printed in its order, the exit code and the time', async () => {
    const outcome = await run('echo out; echo err >&2; echo out2; exit 3')
    expect(outcome).toMatchObject({
      output: 'out\nerr\nout2\n',
      exitCode: 3,
      isTimedOut: false,
      droppedBytes: 0,
    })
    expect(await world.text('run_command', { cmd: 'printf "\\033[31mred\\033[0m"' })).toMatch(
      /^red\n\(Exit code 0\. \d+\.\d s\.\)$/,
    )
    expect(await world.text('bash', { command: 'true' })).toContain('(it printed nothing)')
    expect(await world.text('bash', { command: 'kill -9 $$' })).toContain('ended by SIGKILL')
  })

  it('begins in the workspace or a folder of it, and nowhere else', async () => {
    await mkdir(world.path('sub'))
    await symlink('/', world.path('root'))
    expect((await run('pwd', { cwd: 'sub' })).output).toBe(`${world.path('sub')}\n`)
    for (const cwd of ['..', 'root', '/tmp', '.git'])
      await expect(run('pwd', { cwd })).rejects.toThrow(/is outside|is closed/)
  })

  it('takes a line that begins with a dash, and gives it no input', async () => {
    expect((await run('-x; cat; echo done')).output).toMatch(/-x: .*not found\ndone\n$/)
  })

  it('keeps the beginning and the end of what is too much', async () => {
    const { output, droppedBytes } = await run('echo first; seq 1 100000; echo last')
    expect(output.length).toBeLessThan(31_000)
    expect(output).toMatch(/^first\n1\n2\n/)
    expect(output).toMatch(/100000\nlast\n$/)
    expect(output).toContain(`… (${droppedBytes} bytes left out) …`)
    expect(droppedBytes + 30_000).toBe('first\nlast\n'.length + 588_895)
  })

  it('tells the last whole lines while it runs, of one that is written over what it was last', async () => {
    const bash = world.tool('bash')
    const parsed = bash.parse({
      command:
        'printf "one\\n10 %%\\r20 %%\\r30"; while [ ! -e go ]; do sleep 0.05; done; seq 100 300',
    })
    const told: string[] = []
    const { promise: isTold, resolve } = Promise.withResolvers<void>()
    const emit = ({ output }: { output?: unknown }) => {
      told.push(String(output))
      resolve()
    }
    const { signal } = new AbortController()
    const ended = bash.execute((parsed as { value: Json }).value, { signal, key: 'call', emit })
    await isTold
    expect(told).toEqual(['one\n20 %'])
    await world.write({ go: '' })
    await ended
    const count = told.length
    await sleep(300)
    expect(told).toHaveLength(count)
  })

  it('tells no more than the end of what is printed', async () => {
    const told: string[] = []
    const tail = createOutputTail((lines) => told.push(lines))
    tail.add(Buffer.from(`${'x'.repeat(5_000)}\nlast\n`))
    await sleep(200)
    tail.add(Buffer.from(Array.from({ length: 30 }, (_, index) => `${index}`).join('\n')))
    await sleep(200)
    tail.add(Buffer.from('y'.repeat(5_000)))
    await sleep(200)
    tail.add(Buffer.from('\n'))
    await sleep(200)
    tail.close()
    tail.add(Buffer.from('late\n'))
    await sleep(200)
    expect(told[0]).toBe('last')
    expect(told[1]?.split('\n')).toHaveLength(20)
    expect(told[1]).toMatch(/28$/)
    expect(told.slice(2)).toEqual([''])
  })

  it('tells no part of a line, in which a secret would not be recognized', async () => {
    const key = 'sk-live-abcdefghijklmnop'
    const told: string[] = []
    const tail = createOutputTail((lines) => told.push(redactSecrets(lines, [key])))
    for (const part of ['begun\nkey: ', key.slice(0, 12), `${key.slice(12)}\n`]) {
      tail.add(Buffer.from(part))
      await sleep(200)
    }
    tail.close()
    expect(told).toEqual(['begun', 'begun\nkey: [secret]'])
  })

  it('tells no line of a secret whose first lines are no longer told', async () => {
    const lines = Array.from({ length: 26 }, (_, line) => `line${line}ofthekey`)
    const key = `-----BEGIN KEY-----\n${lines.join('\n')}\n-----END KEY-----`
    const told: string[] = []
    const tail = createOutputTail((text) => told.push(redactSecrets(text, [key])))
    tail.add(Buffer.from(`${key}\n`))
    await sleep(200)
    tail.close()
    expect(told).toEqual([`${'[secret]\n'.repeat(19)}-----END KEY-----`])
  })

  it('survives a program that prints as fast as it can', async () => {
    const before = process.memoryUsage().rss
    const outcome = await run(
      'yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      { timeout: 1 },
    )
    expect(outcome).toMatchObject({ isTimedOut: true, exitCode: null })
    expect(outcome.droppedBytes).toBeGreaterThan(20_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })

  it('ends all processes when the time is over, also those that will not', async () => {
    const { output, isTimedOut, durationMs } = await run(
      `trap '' TERM; (trap '' TERM; sleep 300 & echo $!; wait) & echo $$ $!; wait; sleep 300`,
      { timeout_seconds: 0.5 },
    )
    expect(isTimedOut).toBe(true)
    expect(durationMs).toBeLessThan(30_000)
    expect(numbers(output)).toHaveLength(3)
    expect(await areGone(numbers(output))).toBe(true)
  })

  it('ends all processes when it is cancelled', async () => {
    const controller = new AbortController()
    const running = run('sleep 300 & echo $! > pid; wait', {}, controller.signal)
    while (!existsSync(world.path('pid'))) await sleep(20)
    await sleep(50)
    controller.abort(new Error('stop'))
    await expect(running).rejects.toThrow('stop')
    expect(await areGone(numbers(await readFile(world.path('pid'), 'utf8')))).toBe(true)
  })

  it('ends what is left behind, and says so', async () => {
    const begun = performance.now()
    const outcome = await run('sleep 300 & echo $!')
    expect(outcome).toMatchObject({ exitCode: 0, leftProcesses: true })
    expect(performance.now() - begun).toBeLessThan(30_000)
    expect(await areGone(numbers(outcome.output))).toBe(true)
  })

  it.each([
    'setsid sleep 300',
    'env -i setsid sleep 300',
    'env -i setsid sh -c "sleep 300 & wait"',
    '(env -i setsid sh -c "trap : TERM; while :; do sleep 1; done" >/dev/null 2>&1 </dev/null)',
  ])('ends %s, which left its group, with the command', async (line) => {
    const outcome = await run(`${line} & disown; sleep 0.3; echo ok`)
    expect(outcome).toMatchObject({ output: 'ok\n', exitCode: 0, leftProcesses: true })
    expect(await pidsIn(world.folder)).toEqual([])
  })

  it('is judged by rules, and what is denied is not run', async () => {
    const ruled = await toolWorld({
      rules: [
        { rule: 'touch *', verdict: 'deny' },
        { rule: 'npm *', verdict: 'allow' },
      ],
    })
    const bash = ruled.tool('bash')
    const judged = (command: string, cwd = '.') => {
      const parsed = bash.parse({ command, cwd })
      return parsed.ok ? bash.judge?.(parsed.value).verdict : 'invalid'
    }
    await ruled.write({ 'a.txt': 'x', '.env': 'K=1', 'sub/b.txt': 'x' })
    await symlink('/etc/passwd', ruled.path('link'))
    await symlink('../.env', ruled.path('sub/env'))
    expect(
      ['ls', 'cat a.txt', `cat ${ruled.path('a.txt')}`, 'npm test', 'cd sub && cat b.txt'].map(
        (line) => judged(line),
      ),
    ).toEqual(Array(5).fill('allow'))
    const asking = [
      'cat link',
      'cat .env',
      'cat sub/env',
      'cd sub && cat env',
      'cat /etc/passwd',
      'cat .git/config',
      'head -c9 --x=/etc/passwd',
      'rm a.txt',
      'cat ../folder/../x',
    ]
    expect(asking.map((line) => judged(line))).toEqual(Array(asking.length).fill('ask'))
    expect(judged('cat env', 'sub')).toBe('ask')
    expect(judged('touch b')).toBe('deny')
    await expect(ruled.call('bash', { command: 'ls; touch b' })).rejects.toThrow(
      'The rule "touch *" forbids it.',
    )
    expect(existsSync(ruled.path('b'))).toBe(false)
    expect(bash.effectOf?.({ command: 'ls' })).toBe('read')
    expect(bash.effectOf?.({ command: 'npm test' })).toBe('write')
    expect(await bash.preview?.({ command: 'npm test', cwd: '.' })).toMatchObject({
      command: 'npm test',
      paths: [],
    })
    await ruled.close()
  })
})

describe('background jobs', () => {
  const look = (job_id: string, wait_seconds = 5) =>
    world.call<JobLook>('job_output', { job_id, wait_seconds })
  const start = async (command: string) =>
    (await world.call<{ jobId: string }>('bash', { command, background: true })).jobId

  it('continue next to the session, and are seen bit by bit', async () => {
    const id = await start('echo one; sleep 0.3; echo two; exit 4')
    expect(id).toMatch(/^job-[\da-f]{4}-1$/)
    expect(await look(id)).toMatchObject({ output: 'one\n', state: { status: 'running' } })
    expect((await look(id)).output).toBe('two\n')
    expect(await look(id)).toMatchObject({ output: '', state: { status: 'exited', exitCode: 4 } })
    expect(await world.text('job_output', { id })).toBe(
      '(nothing new)\n(echo one; sleep 0.3; echo two; exit 4: exit code 4)',
    )
    await expect(look('job-9')).rejects.toThrow(`There is no job job-9. Jobs: ${id}.`)
  })

  it('are stopped with all that they started, even what left the group', async () => {
    const id = await start('setsid sleep 300 & sleep 300 & echo $$ $!; pgrep -n sleep; wait')
    await sleep(300)
    const strays = await pidsOf('sleep 300')
    await world.call('job_stop', { job_id: id })
    expect(strays.length).toBeGreaterThanOrEqual(2)
    expect(await areGone(numbers((await look(id, 0)).output))).toBe(true)
    expect(await areGone(strays)).toBe(true)
  })

  it('end when the session does, and none is started after it', async () => {
    const id = await start(`trap '' TERM; sleep 300 & echo $$ $!; while true; do sleep 1; done`)
    const pids = numbers((await look(id)).output)
    expect(pids.map(isAlive)).toEqual([true, true])
    await world.close()
    expect(await areGone(pids)).toBe(true)
    await expect(start('ls')).rejects.toThrow('The session is over')
  })

  it('end when the session is killed', async () => {
    const child = spawn(process.execPath, [
      fileURLToPath(new URL('./orphaning-session.ts', import.meta.url)),
      world.folder,
    ])
    const [said] = await once(child.stdout, 'data')
    const pids = numbers(String(said))
    expect(pids).toHaveLength(3)
    child.kill('SIGKILL')
    expect(await areGone(pids, 10_000)).toBe(true)
  }, 20_000)

  it('are not more than a machine can take', async () => {
    for (let count = 0; count < 16; count++) await start('sleep 300')
    await expect(start('sleep 300')).rejects.toThrow('16 jobs are running already')
  })
})

/** Processes that run in a folder. */
async function pidsIn(folder: string): Promise<string[]> {
  const places = (await readdir('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .map(async (pid) => ({ pid, cwd: await readlink(`/proc/${pid}/cwd`).catch(() => '') }))
  return (await Promise.all(places)).filter(({ cwd }) => cwd === folder).map(({ pid }) => pid)
}

/** Processes of this workspace with that command line. */
async function pidsOf(commandLine: string): Promise<number[]> {
  const { output } = await run(
    `for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$PWD" ] && [ "$(tr '\\0' ' ' < $p/cmdline)" = '${commandLine} ' ] && echo \${p#/proc/}; done`,
  )
  return numbers(output)
}

describe('commandEnvironment', () => {
  it('keeps back what is secret and what changes how the shell reads', () => {
    const environment = {
      PATH: '/bin',
      OPENAI_API_KEY: 'a',
      OTHER: 'x sk-123456 y',
      BASH_ENV: 'x',
      'BASH_FUNC_ls%%': '() { rm; }',
      LANG: 'C',
      GONE: undefined,
    }
    const kept = createCommandEnvironment(environment, {
      names: ['OPENAI_API_KEY'],
      values: ['sk-123456'],
    })
    expect(kept).toMatchObject({ PATH: '/bin', LANG: 'C', PAGER: 'cat' })
    for (const name of ['OPENAI_API_KEY', 'OTHER', 'BASH_ENV', 'BASH_FUNC_ls%%', 'GONE'])
      expect(kept).not.toHaveProperty(name)
  })

  it('keeps back what is called a secret, unless a rule gives it', () => {
    const secret = [
      'AWS_SECRET_ACCESS_KEY',
      'AWS_ACCESS_KEY_ID',
      'AWS_SESSION_TOKEN',
      'GITHUB_TOKEN',
      'npm_config__authToken',
      'PGPASSWORD',
      'MYSQL_PWD',
      'STRIPE_APIKEY',
      'AZURE_DEVOPS_EXT_PAT',
      'GOOGLE_APPLICATION_CREDENTIALS',
    ]
    const plain = [
      'PWD',
      'OLDPWD',
      'SSH_AUTH_SOCK',
      'GIT_ASKPASS',
      'TOKENIZERS_PARALLELISM',
      'KEYMAP',
    ]
    const environment = Object.fromEntries([...secret, ...plain].map((name) => [name, 'x']))
    const told = (rules: Readonly<Record<string, 'allow' | 'deny'>>) => {
      const verdictOn = (name: string) => rules[name]
      const names = ['OPENAI_API_KEY']
      const given = { ...environment, OPENAI_API_KEY: 'x' }
      return Object.keys(createCommandEnvironment(given, { names, values: [], verdictOn })).filter(
        (name) => !/^(?:GIT_|TERM|PAGER)/.test(name) || name === 'GIT_ASKPASS',
      )
    }
    expect(told({})).toEqual(plain)
    expect(told({ GITHUB_TOKEN: 'allow', OPENAI_API_KEY: 'allow', KEYMAP: 'deny' })).toEqual([
      'GITHUB_TOKEN',
      ...plain.slice(0, -1),
    ])
  })

  it('holds no password, whatever the variable is called, unless a rule names it', () => {
    const environment = {
      DATABASE_URL: 'postgres://app:hunter2@db.example/app',
      CACHE: 'see redis://:hunter2@cache.example:6379/0',
      SQL: 'Server=db.example;User Id=app;Password=hunter2;',
      DEPLOY: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl',
      SITE: 'https://example.org:8443/a@b?x=http://c:80/',
      MAIL: 'mailto:ann@example.org',
      NOTE: 'the password is elsewhere',
    }
    const verdictOn = (name: string) => (name === 'CACHE' ? 'allow' : undefined)
    const given = createCommandEnvironment(environment, { names: [], values: [], verdictOn })
    expect(Object.keys(given).filter((name) => name in environment)).toEqual([
      'CACHE',
      'SITE',
      'MAIL',
      'NOTE',
    ])
  })

  it('leaves Git with settings that count, whichever of them holds a key', async () => {
    const environment = createCommandEnvironment(
      {
        PATH: process.env.PATH,
        GIT_CONFIG_COUNT: '3',
        GIT_CONFIG_KEY_0: 'a.b',
        GIT_CONFIG_VALUE_0: 'sk-123456',
        GIT_CONFIG_KEY_1: 'c.d',
        GIT_CONFIG_VALUE_1: 'e',
        GIT_CONFIG_KEY_2: 'f.g',
      },
      { names: [], values: ['sk-123456'] },
    )
    const own = await toolWorld({ environment })
    const { output } = await own.call<CommandOutcome>('bash', {
      command: 'git config c.d; git config a.b; git config safe.bareRepository',
    })
    expect(output).toBe('e\nexplicit\n')
    await own.close()
  })

  it('keeps Git from running what the settings of a folder name that only looks like a repository', async () => {
    const environment = createCommandEnvironment(
      {
        PATH: process.env.PATH,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'a.b',
        GIT_CONFIG_VALUE_0: 'c',
      },
      { names: [], values: [] },
    )
    const own = await toolWorld({ environment })
    const settings = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "touch ${own.path('ran')}; false"\n`
    await own.write({
      'fake/HEAD': 'ref: refs/heads/main\n',
      'fake/config': settings,
      'fake/objects/x': '',
      'fake/refs/x': '',
    })
    const { output } = await own.call<CommandOutcome>('bash', {
      command: 'git config a.b; git status',
      cwd: 'fake',
    })
    expect(output).toMatch(/^c\n/)
    expect(existsSync(own.path('ran'))).toBe(false)
    await own.close()
  })
})
