import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/arguments/commands.ts'
import { globalOptions } from '../../src/cli/arguments/option.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { scriptTeam } from '../../src/testing/scripted-team.ts'
import { CommandLine, jsonOf, linesOf } from '../cli/command.ts'
import { root } from '../repo/source-file.ts'
import { Collector } from './collector.ts'

const cli = new CommandLine()
const collector = new Collector()
let model: ScriptedModel
let isDown = false
beforeAll(async () => {
  const team = scriptTeam()
  model = await startScriptedModel((seen) => (isDown ? { status: 401 } : team(seen)))
  await collector.open()
  await ask('What is CRISPR?', '--session', 's1', '--user', 'ana')
})
afterAll(async () => {
  await model.close()
  await collector.close()
  cli.remove()
})

const env = () => ({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k' })
const ask = (question: string, ...more: string[]) =>
  cli.run(['ask', question, '--model', 'openai-compatible:scripted', ...more], { env: env() })

describe('--trace-file', () => {
  it('is the log of the run, event by event', async () => {
    const { exitCode } = await ask('What is CRISPR good for?', '--trace-file', 'run.jsonl')
    expect(exitCode).toBe(0)
    const events = linesOf(await cli.run(['runs', 'show', 'last', '--events']))
    const traced = linesOf({ stdout: readFileSync(join(cli.folder, 'run.jsonl'), 'utf8') })
    const plain = (lines: readonly { readonly seq: number }[]) =>
      lines.map(({ seq, ...rest }) => [seq, rest])
    expect(plain(traced)).toEqual(plain(events))
    expect(statSync(join(cli.folder, 'run.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('that cannot be written is an error before anything is asked', async () => {
    const before = model.requests.length
    const { exitCode, stderr, stdout } = await ask('x', '--trace-file', 'nowhere/run.jsonl')
    expect([exitCode, stdout, model.requests.length]).toEqual([2, '', before])
    expect(stderr).toContain('The trace file nowhere/run.jsonl cannot be written')
  })

  it.skipIf(process.platform !== 'linux')(
    'on a full disk ends with a warning, and the run goes on',
    async () => {
      const { exitCode, stderr } = await ask(
        'What is CRISPR called?',
        '--trace-file',
        '/dev/full',
        '-q',
      )
      expect(exitCode).toBe(0)
      expect(stderr.match(/The trace file ends here/g)).toHaveLength(1)
    },
  )
})

describe('--log-level and --log-file', () => {
  it('write nothing where they are not given', async () => {
    const { stderr } = await ask('What is CRISPR not?', '-q')
    expect(stderr).toBe('')
  })

  it('write lines to stderr in place of the progress', async () => {
    const { stderr, stdout } = await ask('Who found CRISPR?', '--log-level', 'info')
    const lines = stderr.trimEnd().split('\n')
    for (const line of lines)
      expect(line).toMatch(
        /^\d{4}-[\d-]+T[\d:.]+Z (INFO |WARN ) \S+ [a-z ]+ run=\S+ trace=[0-9a-f]{32}/,
      )
    expect(lines[0]).toContain(' run started ')
    expect(lines.at(-1)).toContain(' run finished ')
    expect(stdout).not.toContain('INFO')
  })

  it('write to a file beside the progress', async () => {
    const { stderr } = await ask(
      'Where is CRISPR found?',
      '--log-file',
      'run.log',
      '--log-level',
      'debug',
    )
    expect(stderr).toContain('Plan:')
    const log = readFileSync(join(cli.folder, 'run.log'), 'utf8')
    expect(log).toContain(' DEBUG ')
    expect(log).toMatch(/model call done .* model=openai-compatible:scripted/)
  })

  it('have no line with a time before that of the line above', async () => {
    await ask('When was CRISPR found?', '--log-file', 'times.log', '--log-level', 'debug')
    const lines = readFileSync(join(cli.folder, 'times.log'), 'utf8').trimEnd().split('\n')
    const times = lines.map((line) => line.slice(0, 24))
    expect(times.length).toBeGreaterThan(50)
    expect(times).toEqual(times.toSorted())
  })

  it('refuse a level that is none', async () => {
    expect(await ask('x', '--log-level', 'loud')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('debug, info, warn, error'),
    })
  })
})

describe('trace show', () => {
  it('draws when each call was at work, and what each agent took', async () => {
    const { stdout, exitCode } = await cli.run(['trace', 'show', 'last'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^planner\[1\] +━+ +\d+ ms +[\d,]+ tok/m)
    expect(stdout).toMatch(/^ {2,}model scripted +[█▏]+ +\d+ ms/m)
    expect(stdout).toMatch(/^ {2,}search_library/m)
    expect(stdout).toMatch(/^researcher +1× +\d+ ms +2 +1 /m)
    expect(stdout).not.toContain('\u001b')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  })

  it('draws the nodes alone at depth 1', async () => {
    const { stdout } = await cli.run(['trace', 'show', 'last', '--depth', '1'])
    expect(stdout).not.toContain('model scripted')
    expect(stdout).toContain('researcher[1]')
  })

  it('gives the tree as JSON', async () => {
    const trace = jsonOf(await cli.run(['trace', 'show', 'last', '--json']))
    const [root] = trace.spans
    expect(root).toMatchObject({ kind: 'workflow', parentId: null })
    const planner = root.children.find(({ name }: { name: string }) => name === 'planner[1]')
    expect(planner.children[0]).toMatchObject({ kind: 'agent', parentId: planner.spanId })
    expect(planner.children[0].children[0]).toMatchObject({ kind: 'model', agent: 'planner' })
  })

  it('shows what failed and why', async () => {
    isDown = true
    await ask('Does CRISPR fail?', '--log-file', 'down.log')
    isDown = false
    const { stdout } = await cli.run(['trace', 'show', 'last'])
    expect(stdout).toMatch(/✗ planner\[1\]/)
    expect(stdout).toMatch(/^ +model_failed: /m)
  })

  it('agrees with the log, which says once that a node failed, and not that it is done', () => {
    const log = readFileSync(join(cli.folder, 'down.log'), 'utf8')
    const planner = log.split('\n').filter((line) => line.includes(' ask/planner[1] node '))
    expect(planner).toEqual([
      expect.stringContaining('INFO  ask/planner[1] node start'),
      expect.stringMatching(/ERROR ask\/planner\[1\] node failed .* reason="planner: /),
    ])
  })

  it('says that there is no such run', async () => {
    expect(await cli.run(['trace', 'show', 'nothing'])).toMatchObject({ exitCode: 2 })
  })
})

describe('trace stats, export and cleanup', () => {
  it('count over the runs that are meant', async () => {
    const stats = jsonOf(await cli.run(['trace', 'stats', '--session', 's1', '--json']))
    expect(stats.workflow).toMatchObject({ runs: 1, statuses: { answered: 1 } })
    expect(stats.paths[0].path[0]).toBe('planner')
    const { stdout } = await cli.run(['trace', 'stats', '--since', '1h'])
    expect(stdout).toMatch(/^AGENT +WORKED +P50 +P95 +P99/m)
    expect((await cli.run(['trace', 'stats', '--since', 'yesterday'])).exitCode).toBe(2)
    expect((await cli.run(['trace', 'stats', '--user', 'nobody'])).stdout).toContain(
      'No matching runs.',
    )
  })

  it('take session and user from the environment', async () => {
    const asked = { ...env(), SCHOLIUM_SESSION_ID: 's9', SCHOLIUM_USER_ID: 'eve' }
    await cli.run(['ask', 'What is CRISPR for?', '--model', 'openai-compatible:scripted'], {
      env: asked,
    })
    const [trace] = jsonOf(await cli.run(['trace', 'export', '--session', 's9']))
    expect(trace).toMatchObject({ sessionId: 's9', userId: 'eve' })
  })

  it('write files for their owner alone, in the format of their name', async () => {
    expect(await cli.run(['trace', 'export', 'traces.csv', '--session', 's1'])).toMatchObject({
      exitCode: 0,
      stdout: '',
    })
    const path = join(cli.folder, 'traces.csv')
    expect(readFileSync(path, 'utf8')).toMatch(/^id,name,/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await cli.run(['trace', 'export', '-o', 'short.CSV'])
    expect(readFileSync(join(cli.folder, 'short.CSV'), 'utf8')).toMatch(/^id,name,/)
    await cli.run(['trace', 'export', 'given.json', '--format', 'csv'])
    expect(readFileSync(join(cli.folder, 'given.json'), 'utf8')).toMatch(/^id,name,/)
    expect((await cli.run(['trace', 'export', '--format', 'xml'])).exitCode).toBe(2)
  })

  it('never overwrite a file, and say why one cannot be written', async () => {
    cli.write('mine.csv', 'kept')
    cli.write('mine.txt', 'kept')
    const refused = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await cli.run(['trace', 'export', ...args])
      expect([exitCode, stdout]).toEqual([2, ''])
      expect(stderr).not.toMatch(/E[A-Z]{4}/)
      return stderr
    }
    expect(await refused('mine.csv')).toMatch(/mine\.csv already exists.*\nChoose another file/)
    expect(await refused('-o', 'mine.txt', '--format', 'json')).toMatch(/already exists/)
    expect(readFileSync(join(cli.folder, 'mine.csv'), 'utf8')).toBe('kept')
    expect(await refused('nowhere/traces.csv')).toMatch(
      /cannot be written: its folder does not exist/,
    )
    expect(await refused('-o', '.')).toMatch(/cannot be written: it is a folder/)
    expect(await refused('mine.csv/x.json')).toMatch(/a part of its path is a file/)
    expect(await refused('-o', 'new.xlsx')).toMatch(
      /cannot be told from its ending.*\nAdd --format/,
    )
    expect(existsSync(join(cli.folder, 'new.xlsx'))).toBe(false)
    expect((await cli.run(['trace', 'export', '-o', '/dev/null'])).exitCode).toBe(0)
  })

  it('go to stdout where the file is "-"', async () => {
    for (const args of [['-'], ['last', '-'], ['-o', '-'], ['last', '--output', '-']]) {
      const { exitCode, stdout } = await cli.run(['trace', 'export', ...args])
      expect([exitCode, JSON.parse(stdout).length]).toEqual([0, expect.any(Number)])
    }
    expect(existsSync(join(cli.folder, '-'))).toBe(false)
  })

  it('take "last" and ids for runs, and never for files', async () => {
    const shown = jsonOf(await cli.run(['runs', 'show', 'last', '--json']))
    const id: string = shown.run?.runId ?? shown.runId
    for (const run of ['last', id, id.slice(-6)]) {
      const traces = jsonOf(await cli.run(['trace', 'export', run]))
      expect(traces.map(({ runId }: { runId: string }) => runId)).toEqual([id])
      expect(existsSync(join(cli.folder, run))).toBe(false)
    }
    expect((await cli.run(['trace', 'export', 'last', 'one.csv'])).exitCode).toBe(0)
    expect(readFileSync(join(cli.folder, 'one.csv'), 'utf8').trim().split('\r\n')).toHaveLength(2)
    expect((await cli.run(['trace', 'export', '--output', 'last', '--limit', '1'])).exitCode).toBe(
      0,
    )
    expect(JSON.parse(readFileSync(join(cli.folder, 'last'), 'utf8'))).toHaveLength(1)
    expect(await cli.run(['trace', 'export', 'traces'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('scholium trace export --output traces'),
    })
    expect((await cli.run(['trace', 'export', 'last', '--since', '1h'])).exitCode).toBe(2)
  })

  it('send a run to a collector', async () => {
    const named = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const { stdout, exitCode } = await cli.run(['trace', 'export', 'last', '--otlp'], {
      env: named,
    })
    expect([exitCode, stdout]).toEqual([0, `${collector.spans.length} spans sent.\n`])
    expect(await cli.run(['trace', 'export', 'last', '--otlp'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT'),
    })
    collector.manner = 'refuses'
    expect(await cli.run(['trace', 'export', 'last', '--otlp'], { env: named })).toMatchObject({
      exitCode: 1,
    })
  })

  it('say where two runs part', async () => {
    const { stdout } = await cli.run(['trace', 'compare', 'last', 'last'])
    expect(stdout).toMatch(/^Both runs took the same path: planner → /)
  })

  it('remove nothing without an age, and nothing that is young', async () => {
    for (const args of [[], ['--keep', '3']])
      expect(await cli.run(['trace', 'cleanup', ...args])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(/^Error: trace cleanup needs --older-than\.\n/),
      })
    expect((await cli.run(['trace', 'cleanup', '--help'])).stdout).toMatch(
      /^Usage: scholium trace cleanup --older-than AGE[\s\S]*Required\. Minimum age since the run ended/,
    )
    const months = await cli.run(['trace', 'cleanup', '--older-than', '1m'])
    expect(months.exitCode).toBe(2)
    expect(months.stderr).toContain('"m" is ambiguous (minutes or months).')
    expect((await cli.run(['trace', 'stats', '--since', '90m'])).stderr).toContain('2h')
    expect((await cli.run(['trace', 'cleanup', '--older-than', '30d'])).stdout).toBe(
      '0 runs removed.\n',
    )
    expect((await cli.run(['trace', 'cleanup', '--older-than', '0h', '--dry-run'])).stdout).toMatch(
      /runs would be removed/,
    )
    const left = jsonOf(await cli.run(['runs', 'list', '--json'])).length
    expect(
      (await cli.run(['trace', 'cleanup', '--older-than', '0h', '--keep', '1'])).exitCode,
    ).toBe(0)
    expect(left).toBeGreaterThan(1)
    expect(jsonOf(await cli.run(['runs', 'list', '--json']))).toHaveLength(1)
  })
})

describe("a project that is not the operator's own", () => {
  it('cannot have runs sent to it by its .env', async () => {
    collector.clear()
    cli.write('.env', `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}\n`)
    await ask('What is CRISPR made of?')
    cli.write('.env', '')
    expect(collector.posts).toBe(0)
  })
})

describe('docs/traces.md', () => {
  const text = readFileSync(join(root, 'docs/traces.md'), 'utf8')
  const told = [...text.matchAll(/`scholium ([^`]+)`/g)].map(([, words = '']) => words)

  it('names commands and options that there are', () => {
    expect(told.length).toBeGreaterThan(10)
    for (const words of told) {
      const command = commands.find(({ name }) => `${words} `.startsWith(`${name} `))
      expect([words, command?.name]).toEqual([words, expect.any(String)])
      const known = [...globalOptions, ...(command?.options ?? [])].map(({ name }) => `--${name}`)
      for (const option of words.match(/--[a-z-]+/g) ?? []) expect(known).toContain(option)
    }
  })
})
