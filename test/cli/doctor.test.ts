import { chmodSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startScriptedModel } from '../../src/testing/index.ts'
import { type Call, CommandLine, jsonOf, linesOf, type Outcome } from './command.ts'
import { type Behaviour, type ModelServer, startModelServer } from './model-server.ts'
import { otherUser } from './other-user.ts'

const cli = new CommandLine()
const servers: { close(): Promise<void> }[] = []
afterAll(() => cli.remove())
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function serve(behaviour?: Behaviour): Promise<ModelServer> {
  const server = await startModelServer(behaviour)
  servers.push(server)
  return server
}

/** Doctor without Python: whether that starts is seen once, and takes longer than everything else. */
function doctor(args: readonly string[], { env = {}, ...call }: Call = {}): Promise<Outcome> {
  return cli.run(['doctor', ...args], { ...call, env: { SCHOLIUM_PYTHON: 'false', ...env } })
}

interface Found {
  readonly status: string
  readonly subject?: string
  readonly text: string
  readonly hint?: string
}

/** The findings of an area, as `status text`. */
function found(outcome: Outcome, area: string): readonly string[] {
  const { findings } = jsonOf(outcome) as { findings: (Found & { area: string })[] }
  const own = findings.filter((one) => one.area === area)
  return own.map(({ status, subject, text }) => `${status} ${subject ? `${subject}: ` : ''}${text}`)
}

function hints(outcome: Outcome): string {
  return (jsonOf(outcome).findings as Found[]).map(({ hint }) => hint ?? '').join('\n')
}

describe('doctor with nothing set up', () => {
  it('finds that all is well, and says that extractive is no language model', async () => {
    const { exitCode, stdout, stderr } = await cli.run(['doctor'])
    expect(stdout).not.toMatch(/[✗!]/)
    expect(exitCode).toBe(0)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/✓ Scholium \d.*, Node \d.*, SQLite \d.* with full-text search/)
    expect(stdout).toMatch(
      /✓ .*home.* \(environment SCHOLIUM_HOME\) will be created on first use; .* free/,
    )
    expect(stdout).toContain('✓ no configuration file; defaults are used')
    expect(stdout).toMatch(/✓ Python 3\.\d+\.\d+ starts in a sandbox without files or network/)
    expect(stdout).toContain('not a language model: it selects and quotes sentences')
    expect(stdout).toContain(
      '✓ working: PDF, Word, Excel, PowerPoint, EPUB, HTML, CSV, pictures, Markdown, text',
    )
    expect(stdout).toMatch(/\nEverything works \(\d+\.\d s\)\n$/)
  })

  it('makes no home, and looks at the one that is there', async () => {
    expect((await cli.run(['ask', 'What is CRISPR?'])).exitCode).toBe(0)
    const outcome = await doctor(['--json'])
    expect(jsonOf(outcome)).toMatchObject({ schema: 'scholium.doctor/1', status: 'ok' })
    expect(found(outcome, 'home')).toEqual([
      expect.stringContaining('is writable'),
      expect.stringContaining('runs.db is intact'),
      expect.stringContaining('library.db is intact'),
    ])
    const lines = linesOf(await doctor(['--output-format', 'stream-json']))
    expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'ok' })
  })
})

describe('doctor on models', () => {
  const look = (env: Record<string, string>, ...args: string[]) =>
    doctor(['--json', ...args], { env })

  it('tries one of this machine: reached, free, tools, form', async () => {
    const { origin } = await serve()
    const outcome = await look({ OLLAMA_HOST: origin, SCHOLIUM_MODEL: 'ollama:tiny' })
    const subject =
      'ok ollama:tiny (planner, researcher, expert, critic, finalizer, verifier, analyzer, synthesizer)'
    expect(found(outcome, 'models')).toEqual([
      `${subject}: is reachable`,
      `${subject}: is free (on this machine)`,
      `${subject}: calls tools`,
      `${subject}: gives structured output`,
      `${subject}: is not known to accept images: it only gets the metadata of images among the sources`,
    ])
    expect(outcome.exitCode).toBe(0)
  })

  it('names each model once, with its roles', async () => {
    const { origin } = await serve({ models: ['tiny', 'big'] })
    const models = [
      '--model',
      'ollama:tiny',
      '--model',
      'critic=ollama:big',
      '--model',
      'expert=extractive',
    ]
    const outcome = await look({ OLLAMA_HOST: origin }, ...models)
    const subjects = found(outcome, 'models').map((text) => text.replace(/^\w+ (.*\)):.*/, '$1'))
    expect(new Set(subjects)).toEqual(
      new Set([
        'ollama:tiny (planner, researcher, finalizer, verifier, analyzer, synthesizer)',
        'extractive (expert)',
        'ollama:big (critic)',
      ]),
    )
  })

  it('says how to start a service that does not run', async () => {
    const { origin, close } = await startModelServer()
    await close()
    const outcome = await look({ OLLAMA_HOST: origin, SCHOLIUM_MODEL: 'ollama:tiny' })
    expect(outcome.exitCode).toBe(1)
    expect(found(outcome, 'models')[0]).toMatch(/^problem ollama:tiny .*cannot be reached/)
    expect(hints(outcome)).toContain('ollama serve')
    expect(hints(outcome)).not.toContain('resume')
  })

  it('says how to fetch a model that is not there', async () => {
    const { origin } = await serve({ models: ['tiny:latest'] })
    const outcome = await look({ OLLAMA_HOST: origin, SCHOLIUM_MODEL: 'ollama:huge' })
    expect(outcome.exitCode).toBe(1)
    expect(found(outcome, 'models')[0]).toMatch(/^problem .*does not list huge/)
    expect(hints(outcome)).toContain('ollama pull huge')
  })

  it('says which key is wrong, and never shows it', async () => {
    const { origin } = await serve({ key: 'right' })
    const env = { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: 'sk-wrong-0123456789' }
    const outcome = await look(env, '--model', 'openai:tiny')
    expect(outcome.exitCode).toBe(1)
    expect(found(outcome, 'models').join('\n')).toMatch(/problem openai:tiny .*key/)
    expect(hints(outcome)).toContain('OPENAI_API_KEY')
    expect(outcome.stdout + outcome.stderr).not.toContain('sk-wrong')
  })

  it.each(['always', 'calls'] as const)(
    'ends in time where the service hangs: %s',
    async (hangs) => {
      const { origin } = await serve({ hangs })
      const startedAt = performance.now()
      const outcome = await look(
        { OLLAMA_HOST: origin, SCHOLIUM_MODEL: 'ollama:tiny' },
        '--max-seconds',
        '5',
      )
      expect(performance.now() - startedAt).toBeLessThan(30_000)
      expect(outcome.exitCode).toBe(1)
      expect(found(outcome, 'models').join('\n')).toMatch(
        /problem ollama:tiny .*no answer within 5 s/,
      )
      expect(found(outcome, 'readers')).toHaveLength(1)
    },
  )

  it('warns of a model that neither calls tools nor keeps to a form', async () => {
    const { origin } = await serve({ onlyTalks: true })
    const outcome = await look({ OLLAMA_HOST: origin, SCHOLIUM_MODEL: 'ollama:tiny' })
    const [, , tools, form] = found(outcome, 'models')
    expect(tools).toMatch(/^warning .*did not call a tool/)
    expect(form).toMatch(/^warning .*did not give structured output/)
    expect(outcome.exitCode).toBe(0)
  })

  it.each(['{"a":417,"b":1}', '{"sum":"417+325"}'])(
    'tells a call with wrong arguments (%s) from none',
    async (toolArguments) => {
      const { origin } = await serve({ toolArguments })
      const outcome = await look({ OLLAMA_HOST: origin, SCHOLIUM_MODEL: 'ollama:tiny' })
      expect(found(outcome, 'models')[2]).toMatch(
        /^warning .*called a tool, but with wrong arguments/,
      )
    },
  )

  it('calls what may cost only when it is told to, and says what it cost', async () => {
    const server = await serve({ key: 'right' })
    cli.write(
      'priced.yaml',
      'prices: {"openai-compatible:tiny": {inputUsdPerMTok: 1, outputUsdPerMTok: 2}}\n',
    )
    const env = { OPENAI_BASE_URL: `${server.origin}/v1`, OPENAI_API_KEY: 'right' }
    const args = ['--model', 'openai-compatible:tiny', '--config', 'priced.yaml']
    const careful = await look(env, ...args)
    expect(server.requests).toEqual(['GET /v1/models'])
    expect(found(careful, 'models').join('\n')).toContain('was not called, because it is paid')
    const told = await look(env, ...args, '--call')
    expect(server.requests.filter((request) => request.startsWith('POST')).length).toBeGreaterThan(
      1,
    )
    expect(found(told, 'models').join('\n')).toContain(
      'costs $1 per million input tokens and $2 per million output tokens (as configured)',
    )
    expect(found(told, 'models').join('\n')).toMatch(/the check cost \$0\.000240/)
    const unpriced = await look(env, '--model', 'openai-compatible:tiny')
    expect(found(unpriced, 'models').join('\n')).toMatch(/warning .*its price is unknown/)
  })

  it('tries the model of embeddings on vectors alone', async () => {
    const reply = { vectors: [[1, 2]] as readonly number[][] }
    const model = await startScriptedModel(() => reply)
    servers.push(model)
    const env = { OPENAI_BASE_URL: model.url, SCHOLIUM_MODEL: 'embedding=openai-compatible:v' }
    const outcome = await doctor(['--json', '--call'], { env })
    const own = found(outcome, 'models').filter((line) => line.includes('(embedding)'))
    expect(own).toContain('ok openai-compatible:v (embedding): creates embeddings')
    expect(own.join()).not.toMatch(/tool|form|pictures/)
    expect(model.requests.map(({ model: name }) => name)).toEqual(['v'])
    reply.vectors = []
    const again = await doctor(['--json', '--call'], { env })
    expect(found(again, 'models')).toContain(
      'warning openai-compatible:v (embedding): did not create embeddings',
    )
    expect(hints(again)).toContain('Use an embedding model')
  })

  it('does not repeat a key that the service says back', async () => {
    const { origin, requests } = await serve({ key: 'right', listsFreely: true })
    const env = { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: 'sk-said-back-123456' }
    const args = ['--model', 'openai-compatible:tiny', '--call']
    for (const form of [[], ['--json']]) {
      const { stdout, stderr } = await doctor([...args, ...form], { env })
      expect(stdout).toContain('Incorrect API key provided: [secret]')
      expect(`${stdout}${stderr}`).not.toContain('said-back')
    }
    expect(requests.some((request) => request.startsWith('POST'))).toBe(true)
  })

  it('says that a key is missing', async () => {
    const outcome = await look({}, '--model', 'anthropic:claude-x')
    expect(outcome.exitCode).toBe(1)
    expect(found(outcome, 'models').join('\n')).toContain('ANTHROPIC_API_KEY is not set')
  })
})

describe('doctor on a set-up that is broken', () => {
  const look = (home: string, uid?: number) =>
    doctor(['--json', '--home', home], uid === undefined ? {} : { uid })

  it('reports a home that is a file', async () => {
    cli.write('file', 'x')
    const outcome = await look('file')
    expect(outcome.exitCode).toBe(1)
    expect(found(outcome, 'home')).toEqual([
      expect.stringMatching(/^problem .*file is a file, not a folder/),
    ])
    expect(found(await look('file/below'), 'home').join()).toMatch(/^problem .*is a file/)
  })

  it('reports databases that are none, or damaged', async () => {
    const home = join(cli.folder, 'damaged')
    await cli.run(['ask', 'What is CRISPR?', '--home', home])
    writeFileSync(join(home, 'runs.db'), 'this is no database, however long it may be'.repeat(50))
    const library = openSync(join(home, 'library.db'), 'r+')
    writeSync(library, new Uint8Array(8_192).fill(0x5a), 0, 8_192, 16_384)
    const outcome = await look(home)
    expect(outcome.exitCode).toBe(1)
    const [, runs, damaged] = found(outcome, 'home')
    expect(runs).toMatch(/^problem .*runs\.db.* not a SQLite database/)
    expect(damaged).toMatch(/^problem .*library\.db.*damaged/)
    expect(hints(outcome)).toContain('add your files again')
  })

  it.skipIf(otherUser === undefined)(
    'reports a home that may not be written (needs a user without rights)',
    async () => {
      const home = join(cli.folder, 'locked')
      mkdirSync(home)
      chmodSync(home, 0o555)
      chmodSync(cli.folder, 0o755)
      const outcome = await look(home, otherUser)
      expect(outcome.exitCode).toBe(1)
      expect(found(outcome, 'home').join()).toMatch(
        /^problem .*locked.* is read-only or owned by another user/,
      )
      expect(hints(outcome)).toContain('--home')
      expect(found(await look(join(home, 'new'), otherUser), 'home').join()).toMatch(/^problem /)
    },
  )

  it('reports every mistake in the configuration, and looks at the rest', async () => {
    cli.write('broken.yaml', 'modles: {}\nlimits: {maxSteps: 0}\n')
    const outcome = await doctor(['--json', '--config', 'broken.yaml'])
    expect(outcome.exitCode).toBe(1)
    expect(found(outcome, 'configuration')).toEqual([
      expect.stringContaining('broken.yaml:1:1: unknown setting "modles"'),
      expect.stringContaining('broken.yaml:2:20: limits.maxSteps must be'),
    ])
    expect(found(outcome, 'models')[0]).toMatch(/^ok extractive/)
  })

  it('tells of sources that are not there, and of those that are', async () => {
    mkdirSync(join(cli.folder, 'there'))
    cli.write('a.md', '# A')
    cli.write('with-sources.yaml', 'sources: [nothere, there, a.md, a.md/b]\n')
    const outcome = await doctor(['--json', '--config', 'with-sources.yaml'])
    expect(outcome.exitCode).toBe(1)
    expect(found(outcome, 'sources')).toEqual([
      expect.stringMatching(/^problem .*nothere \(.*with-sources\.yaml:1\) does not exist$/),
      expect.stringMatching(/^ok .*there \(.*\) can be read$/),
      expect.stringMatching(/^ok .*a\.md \(.*\) can be read$/),
      expect.stringMatching(/^problem .*b \(.*\) does not exist$/),
    ])
    expect(hints(outcome)).toContain('fix the path under "sources"')
  })

  it.skipIf(otherUser === undefined)(
    'reports sources that may not be read (needs a user without rights)',
    async () => {
      const locked = join(cli.folder, 'unreadable')
      mkdirSync(locked)
      chmodSync(locked, 0o700)
      chmodSync(cli.folder, 0o755)
      cli.write('with-locked.yaml', 'sources: [unreadable]\n')
      const args = ['--json', '--config', 'with-locked.yaml']
      const outcome = await doctor(args, otherUser === undefined ? {} : { uid: otherUser })
      expect(found(outcome, 'sources').join()).toMatch(
        /^problem .*unreadable .*(?:permission denied|cannot be read)/,
      )
    },
  )
})
