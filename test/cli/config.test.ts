import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from './command.ts'
import { type ModelServer, startModelServer } from './model-server.ts'

const cli = new CommandLine()
const servers: ModelServer[] = []
afterAll(() => cli.remove())
afterEach(async () => {
  for (const name of ['scholium.yaml', '.env']) rmSync(join(cli.folder, name), { force: true })
  for (const server of servers.splice(0)) await server.close()
})

async function serve(...given: Parameters<typeof startModelServer>): Promise<ModelServer> {
  const server = await startModelServer(...given)
  servers.push(server)
  return server
}

describe('config', () => {
  it('shows every setting, its value and where it came from; of keys only that they are set', async () => {
    cli.write(
      'scholium.yaml',
      'limits:\n  maxSteps: 7\nmodels: {critic: "ollama:x"}\nsources: [a, b]\n',
    )
    cli.write('.env', 'OPENAI_API_KEY=sk-secret-0123456789\nOTHER_KEY=sk-other-0123456789\n')
    const { exitCode, stdout } = await cli.run(['config', '--max-tokens', '9'], {
      env: { SCHOLIUM_RETRY_LIMIT: '2', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    })
    expect(exitCode).toBe(0)
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/).join(' | '))
    for (const line of [
      'SETTING | VALUE | FROM',
      'models.default | extractive | default',
      'models.critic | ollama:x | scholium.yaml:3',
      'limits.maxSteps | 7 | scholium.yaml:2',
      'limits.maxTokens | 9 | --max-tokens',
      'limits.maxCostUsd | – | default',
      'retryLimit | 2 | environment SCHOLIUM_RETRY_LIMIT',
      'sources | a, b | scholium.yaml:4',
      'OPENAI_BASE_URL | http://127.0.0.1:9/v1 | environment OPENAI_BASE_URL',
      'OPENAI_API_KEY | set | .env:1',
      ' | scholium.yaml (project)',
    ])
      expect(lines).toContain(line)
    expect(stdout).not.toContain('sk-')
    expect(stdout).not.toContain('OTHER_KEY')
  })

  it('reports mistakes, ends with 2, and is JSON for programs', async () => {
    cli.write('scholium.yaml', 'modles: {}\n')
    const outcome = await cli.run(['config', '--json'], { env: { SCHOLIUM_MAX_STEPS: 'x' } })
    expect(outcome.exitCode).toBe(2)
    expect(jsonOf(outcome)).toMatchObject({
      schema: 'scholium.configuration/1',
      files: [{ kind: 'project' }],
      problems: [
        { place: expect.stringMatching(/scholium\.yaml:1:1$/), message: expect.any(String) },
        { place: 'environment SCHOLIUM_MAX_STEPS', message: expect.any(String) },
      ],
    })
    const text = await cli.run(['config'])
    expect(text.stdout).toContain('Errors\n  scholium.yaml:1:1: unknown setting "modles"')
  })

  it.each([
    ['models: ollama:fake', 'as in models: {default: "ollama:fake"}'],
    ['limits: 40', 'as in limits: {maxSteps: 40}'],
    ['retryLimits: 2', 'as in retryLimits: {planner: 2}'],
    ['prices: 1', 'as in prices: {"vllm:my-model": {inputUsdPerMTok: 1, outputUsdPerMTok: 2}}'],
  ])('says how %s is written, and that nothing of the file holds', async (line, form) => {
    cli.write('scholium.yaml', `retryLimit: 1\n${line}\n`)
    const { exitCode, stdout } = await cli.run(['config'])
    expect(exitCode).toBe(2)
    expect(stdout).toContain(form)
    expect(stdout).toContain('scholium.yaml (project): not used until')
    const text = form.replace('as in ', '')
    cli.write('scholium.yaml', `${text}\n`)
    expect((await cli.run(['config'])).stdout).not.toContain('Errors')
  })

  it('reports a model that is none as ask does', async () => {
    cli.write('scholium.yaml', 'models: {default: llama3.2}\n')
    const words = 'Unknown model "llama3.2". Did you mean "ollama:llama3.2"?'
    const told = await cli.run(['config'])
    expect(told.exitCode).toBe(2)
    expect(told.stdout).toContain(`scholium.yaml:1: ${words}`)
    expect((await cli.run(['ask', 'x'])).stderr).toContain(words)
  })

  it('ends a sentence once', async () => {
    cli.write('scholium.yaml', 'models: {defualt: x}\n')
    const { stderr } = await cli.run(['runs', 'list'])
    expect(stderr).toContain('did you mean "default"?\n')
    expect((await cli.run(['runs', 'list', '--config', 'no.yaml'])).stderr).toContain(
      'no.yaml: there is no such file.',
    )
  })

  it('a mistake ends every command that needs the configuration, and help needs none', async () => {
    cli.write('scholium.yaml', 'a: 1\nb: 2\n')
    for (const command of [['ask', 'x'], ['runs', 'list'], ['library', 'list'], ['models']]) {
      const { exitCode, stderr, stdout } = await cli.run(command)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toContain('The configuration has 2 errors:\n')
    }
    expect((await cli.run(['--help'])).exitCode).toBe(0)
    expect((await cli.run(['config', 'schema'])).exitCode).toBe(0)
  })

  it('init writes a file that is sound, once, and its schema is where it says', async () => {
    const first = await cli.run(['config', 'init'])
    expect(first).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('scholium.yaml created'),
    })
    const text = readFileSync(join(cli.folder, 'scholium.yaml'), 'utf8')
    const [, schema = ''] = /^# yaml-language-server: \$schema=(.+)\n/.exec(text) ?? []
    expect(JSON.parse(readFileSync(new URL(schema), 'utf8'))).toHaveProperty('properties')
    expect((await cli.run(['config'])).exitCode).toBe(0)
    const uncommented = text
      .replaceAll(/^# (?! *yaml|Everything)/gm, '')
      .replaceAll(/^Everything.*$/gm, '')
    cli.write('scholium.yaml', uncommented)
    cli.write('.env', 'MY_KEY=k\n')
    const used = jsonOf(await cli.run(['config', '--json']))
    rmSync(join(cli.folder, '.env'))
    expect(used.problems).toEqual([])
    expect(used.settings).toContainEqual(
      expect.objectContaining({ key: 'limits.maxCostUsd', value: 0.5 }),
    )
    const again = await cli.run(['config', 'init'])
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('already') })
    expect((await cli.run(['config', 'init', '--user'])).exitCode).toBe(0)
    expect(existsSync(join(cli.folder, 'config', 'scholium', 'scholium.yaml'))).toBe(true)
    rmSync(join(cli.folder, 'config'), { recursive: true })
  })
})

describe('a configuration in use', () => {
  it('gives the model, which is reported before it is called, the limits and the sources', async () => {
    const { origin, requests } = await serve({ onlyTalks: true })
    mkdirSync(join(cli.folder, 'notes'), { recursive: true })
    cli.write(
      'notes/stone.md',
      '# Glimmerstone\n\nGlimmerstone is a mineral that melts at 412 degrees.\n',
    )
    cli.write(
      'scholium.yaml',
      `models:\n  default: {name: "vllm:tiny", baseUrl: "${origin}/v1"}\nlimits: {maxSteps: 1}\nsources: [notes]\n`,
    )
    const asked = await cli.run(['ask', 'What is glimmerstone?', '--json'])
    expect(asked.stderr).toMatch(
      /^The configuration in this folder sets: vllm:tiny at http:\/\/127\.0\.0\.1:\d+\/v1 \(scholium\.yaml:2\)\n/,
    )
    expect(requests).toContain('POST /v1/chat/completions')
    expect(jsonOf(asked)).toMatchObject({ stopReason: 'limit', models: { planner: 'vllm:tiny' } })
    const own = await cli.run([
      'ask',
      'What is glimmerstone?',
      '--model',
      'extractive',
      '--max-steps',
      '99',
    ])
    expect(own.stdout).toContain('412')
    expect(own.stderr).not.toContain('chooses')
  })

  it('never sends a key of the operator to an address of the project', async () => {
    const { origin, requests } = await serve({ key: 'sk-mine' })
    const evil = origin.replace('127.0.0.1', '0.0.0.0')
    cli.write('scholium.yaml', 'models: {default: "openai-compatible:tiny"}\n')
    cli.write('.env', `OPENAI_BASE_URL=${evil}/v1\n`)
    const env = { OPENAI_API_KEY: 'sk-mine-0123456789' }
    const commands = [
      ['ask', 'x'],
      ['doctor'],
      ['models', 'openai-compatible'],
      ['ask', 'x', '--model', 'openai:y'],
    ]
    for (const command of commands) {
      const { exitCode, stdout, stderr } = await cli.run(command, { env })
      expect([1, 2]).toContain(exitCode)
      expect(stdout + stderr).toMatch(/would send your key\s+OPENAI_API_KEY\s+to\s+0\.0\.0\.0/)
      expect(stdout + stderr).not.toContain('sk-mine')
    }
    expect(requests).toEqual([])
  })

  it('continues with a run as its file says, though the record has no key', async () => {
    const dead = await startModelServer()
    await dead.close()
    const file = (origin: string) =>
      `models: {default: {name: "openai-compatible:tiny", baseUrl: "${origin}/v1", apiKeyFrom: MY_KEY}}\n`
    const env = { MY_KEY: 'sk-right-0123456789' }
    cli.write('own.yaml', file(dead.origin))
    const asked = await cli.run(['ask', 'What is CRISPR?', '--config', 'own.yaml'], { env })
    const id = /scholium resume (\S+)/.exec(asked.stdout + asked.stderr)?.[1] ?? ''
    expect(id).not.toBe('')
    const { origin, requests } = await serve({ key: env.MY_KEY, onlyTalks: true })
    cli.write('own.yaml', file(origin))
    const resumed = await cli.run(['resume', id, '--config', 'own.yaml', '--json'], { env })
    expect(requests.length).toBeGreaterThan(0)
    expect(resumed.stdout + resumed.stderr).not.toMatch(/sk-right|refused the key|401/)
  })
})

describe('a deployment of Azure in the environment', () => {
  const env = {
    AZURE_OPENAI_ENDPOINT: 'http://127.0.0.1:9',
    AZURE_OPENAI_API_KEY: 'sk-azure',
    AZURE_OPENAI_DEPLOYMENT_NAME: 'my-gpt',
  }
  const told = 'Your Azure deployment my-gpt is set: use it with --model azure.'

  it.each(['ask', 'papers'])(
    'is not used by %s unasked, which says how to use it',
    async (command) => {
      const outcome = await cli.run([command, 'What is CRISPR?', '--json'], { env })
      expect(Object.values(jsonOf(outcome).models)).not.toContain('azure:my-gpt')
      expect(outcome.stderr).toContain(told)
      const quiet = await cli.run([command, 'What is CRISPR?', '--json', '--quiet'], { env })
      expect(quiet.stderr).not.toContain(told)
    },
  )

  it('is what --model azure means', async () => {
    const { stdout } = await cli.run(['models', '--model', 'azure'], { env })
    expect(stdout).toMatch(/\nplanner +azure:my-gpt /)
  })
})

describe('models', () => {
  it('shows the model of each role with its price, and the providers', async () => {
    const { exitCode, stdout } = await cli.run(['models', '--model', 'critic=openai:gpt-5.4'], {
      env: { OPENAI_API_KEY: 'sk-x' },
    })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\nplanner +extractive +free +default\n/)
    expect(stdout).toMatch(/\ncritic +openai:gpt-5\.4 +\$2\.5 input, \$15 output +--model\n/)
    expect(stdout).toMatch(/\nopenai +OpenAI +set up +https:/)
    expect(stdout).toMatch(/\nanthropic +Anthropic +needs ANTHROPIC_API_KEY +https:/)
    expect(stdout).toMatch(/\nollama +Ollama +no key needed +http:/)
    expect(stdout).toMatch(/\nazure +Azure OpenAI +needs AZURE_OPENAI_ENDPOINT/)
    const report = jsonOf(await cli.run(['models', '--json']))
    expect(report).toMatchObject({ schema: 'scholium.models/1', roles: expect.any(Array) })
  })

  it('lists what a service has', async () => {
    const { origin } = await serve({ models: ['b', 'a:latest'] })
    const env = { OLLAMA_HOST: origin }
    const listed = await cli.run(['models', 'ollama'], { env })
    expect(listed.stdout).toMatch(/ollama:a:latest +free\nollama:b +free\n\n2 models\n$/)
    expect(jsonOf(await cli.run(['models', 'ollama', '--json'], { env }))).toEqual([
      { name: 'ollama:a:latest', price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0 } },
      { name: 'ollama:b', price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0 } },
    ])
  })

  it('says what to do where it cannot', async () => {
    const unknown = await cli.run(['models', 'olama'])
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' })
    expect(unknown.stderr).toContain('ollama')
    const { origin, close } = await startModelServer()
    await close()
    const down = await cli.run(['models', 'ollama'], { env: { OLLAMA_HOST: origin } })
    expect(down.exitCode).toBe(1)
    expect(down.stderr).toContain('ollama serve')
    expect(down.stderr).not.toContain('resume')
  })
})
