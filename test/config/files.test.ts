import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type GivenSettings,
  loadConfiguration,
  readConfiguration,
} from '../../src/app/config/configuration.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'scholium-config-'))
  mkdirSync(join(root, 'project', 'deep'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

function write(name: string, text: string | Uint8Array): string {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

function read(given: GivenSettings = {}, environment: Record<string, string> = {}) {
  const request = {
    environment: { XDG_CONFIG_HOME: join(root, 'config'), ...environment },
    folder: join(root, 'project', 'deep'),
    given,
  }
  return readConfiguration(request)
}

async function problemsOf(text: string | Uint8Array, name = 'scholium.yaml') {
  const path = write(`project/${name}`, text)
  const { problems } = await read()
  return problems.map(({ place, message }) => `${place.replace(path, '')} ${message}`)
}

/** The value and origin of settings, the paths from the test's folder. */
async function settled(keys: readonly string[], given?: GivenSettings, environment = {}) {
  const { settings } = await read(given, environment)
  return keys.map((key) => {
    const setting = settings.get(key)
    return setting && [setting.value, setting.origin.text.replace(`${root}/`, '')]
  })
}

describe('the model of embeddings', () => {
  it('stays where a hand names the model of all other roles', async () => {
    write('project/scholium.yaml', 'models: {critic: ollama:a, embedding: ollama:b}\n')
    const keys = ['models.default', 'models.critic', 'models.embedding']
    expect(await settled(keys, { models: ['ollama:c'] })).toMatchObject([
      [{ name: 'ollama:c' }, '--model'],
      undefined,
      [{ name: 'ollama:b' }, expect.any(String)],
    ])
  })
})

describe('mistakes in a configuration file', () => {
  it('are all told at once, in order, each with its line, its column and the key that was meant', async () => {
    const text = `modles: {}
limits:
  maxStep: 3
  maxCostUsd: "a"
models:
  default: 3
  critic:
    nmae: x
    temperature: 3
    baseUrl: ftp://x
retryLimit: -1
sources: docs
`
    expect(await problemsOf(text)).toEqual([
      ':1:1 unknown setting "modles"; did you mean "models"?',
      ':3:3 unknown setting "maxStep" in limits; did you mean "maxSteps"?',
      ':4:15 limits.maxCostUsd must be a number above 0',
      ':6:12 models.default must be a model, such as ollama:llama3.2',
      ':8:5 models.critic.name is missing',
      ':8:5 unknown setting "nmae" in models.critic; did you mean "name"?',
      ':9:18 models.critic.temperature must be a number from 0 to 2',
      ':10:14 models.critic.baseUrl must be an http address',
      ':11:13 retryLimit must be a whole number of at least 0',
      ':12:10 sources must be a list of paths',
    ])
  })

  it.each([
    ['a list', '- a\n', ':1:1 the file must be a map of settings, such as "models:"'],
    ['a text', 'hello', ':1:1 the file must be a map of settings, such as "models:"'],
    ['a key twice', 'retryLimit: 1\nretryLimit: 2\n', ':2:1 duplicate key'],
    [
      'a tab',
      'limits:\n\tmaxSteps: 1\n',
      ':2:1 this line is indented with a tab; YAML allows only spaces',
    ],
    [
      'two documents',
      'retryLimit: 1\n---\nretryLimit: 2\n',
      ':2:1 a second YAML document starts here; only one is allowed',
    ],
    ['a tag', 'home: !!js/function x\n', 'tags are not supported (tag:yaml.org,2002:js/function)'],
    ['an unclosed list', 'sources: [a\n', 'it is not valid YAML: '],
    ['an unknown alias', 'home: *x\n', 'Unresolved alias'],
    ['a key of a model named wrong', 'models: {criticc: a:b}\n', 'did you mean "critic"?'],
    ['a name of JavaScript', '__proto__: {a: 1}\n', 'unknown setting "__proto__"'],
    ['not a number', 'limits: {maxCostUsd: .nan}\n', 'limits.maxCostUsd must be a number above 0'],
    ['half a price', 'prices: {a: {inputUsdPerMTok: 1}}\n', 'prices.a.outputUsdPerMTok is missing'],
    ['an empty model', 'models: {default: " "}\n', 'models.default must be a model'],
  ])('tell of %s', async (_what, text, expected) => {
    expect((await problemsOf(text)).join('\n')).toContain(expected)
  })

  it.each([
    ['10 MB', 'x'.repeat(10_000_000), 'is larger than 256 KB'],
    ['bytes that are no text', new Uint8Array([0xff, 0xc3, 0x28]), 'is not UTF-8 text'],
    ['lists in lists without end', '['.repeat(100_000), ':1:807 it is nested too deeply'],
    ['aliases of aliases', bomb(), 'its aliases (*name) expand to more than 100 parts'],
  ])('tell of %s, soon', async (_what, text, expected) => {
    const startedAt = performance.now()
    expect((await problemsOf(text)).join('\n')).toContain(expected.replace(/^:1:\d+/, ''))
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })

  it.each([
    'apiKey: sk-live-abcdef0123456789',
    'api_key: sk-live-abcdef0123456789',
    'token: sk-live-abcdef0123456789',
    'apiKeyFrom: sk-live-abcdef0123456789',
    'apiKeyFrom: AIzaSyAbcdefghijklmnopqrstuvwxyz012345',
    'baseUrl: https://user:sk-live-abcdef0123456789@example.org/v1',
    'baseUrl: https://example.org/v1?key=sk-live-abcdef0123456789',
  ])('tell where a key goes instead, and do not repeat it: %s', async (line) => {
    const [problem = '', ...others] = await problemsOf(
      `models:\n  default:\n    name: openai:x\n    ${line}\n`,
    )
    expect(others).toEqual([])
    expect(problem).toMatch(/^:4:\d+ .*(apiKeyFrom|environment variable)/)
    expect(problem).not.toMatch(/sk-live|AIza/)
  })

  it('leave the rest of the configuration as it is, and nothing of the broken file', async () => {
    write('project/scholium.yaml', 'retryLimit: 3\nlimits: {maxSteps: none}\n')
    write('config/scholium/scholium.yaml', 'retryLimit: 4\n')
    expect(await settled(['retryLimit'])).toEqual([[4, 'config/scholium/scholium.yaml:1']])
  })

  it('end what needs the configuration, as one error', async () => {
    write('project/scholium.yaml', 'a: 1\nb: 2\n')
    const loading = loadConfiguration({ environment: {}, folder: join(root, 'project') })
    await expect(loading).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringMatching(/^The configuration has 2 errors:\n {2}.+\n {2}.+$/),
      hint: expect.stringContaining('scholium config'),
    })
  })
})

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 9; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    )
  }
  return lines.join('\n')
}

describe('a configuration file', () => {
  it('may be empty, all comments, JSON, or use an anchor', async () => {
    expect(await problemsOf('')).toEqual([])
    expect(await problemsOf('# nothing\n')).toEqual([])
    expect(await problemsOf('models:\nlimits:\n')).toEqual([])
    const shared = 'models: {planner: &m {name: a:b, stream: false}, critic: *m}\n'
    expect(await problemsOf(shared)).toEqual([])
    rmSync(join(root, 'project', 'scholium.yaml'))
    const json = '{ "$schema": "./config.schema.json", "retryLimit": 2 }'
    expect(await problemsOf(json, 'scholium.json')).toEqual([])
    expect(await settled(['retryLimit'])).toEqual([[2, 'project/scholium.json:1']])
  })

  it('must be the only one in its folder', async () => {
    write('project/scholium.yaml', '')
    write('project/scholium.json', '{}')
    const { problems } = await read()
    expect(problems).toEqual([
      { place: join(root, 'project'), message: expect.stringContaining('keep one of them') },
    ])
  })

  it('that is named must be there', async () => {
    const { problems } = await read({ configFile: 'nothing.yaml' })
    expect(problems.map(({ message }) => message)).toEqual(['there is no such file'])
  })
})

describe('what comes from where', () => {
  const limit = ['limits.maxSteps']
  const steps = (count: number) => `# first\nlimits:\n  maxSteps: ${count}\n`

  it('the command line is stronger than the environment, .env, the project, and the user', async () => {
    write('config/scholium/scholium.yaml', steps(50))
    expect(await settled(limit)).toEqual([[50, 'config/scholium/scholium.yaml:3']])
    write('project/scholium.yml', steps(40))
    expect(await settled(limit)).toEqual([[40, 'project/scholium.yml:3']])
    write('project/.env', 'X=1\nexport SCHOLIUM_MAX_STEPS=30\n')
    expect(await settled(limit)).toEqual([[30, 'project/.env:2']])
    const environment = { SCHOLIUM_MAX_STEPS: '20' }
    expect(await settled(limit, {}, environment)).toEqual([[20, 'environment SCHOLIUM_MAX_STEPS']])
    const given = { limits: { maxSteps: 10 } }
    expect(await settled(limit, given, environment)).toEqual([[10, '--max-steps']])
  })

  it('a named file replaces both', async () => {
    write('config/scholium/scholium.yaml', steps(50))
    write('project/scholium.yaml', steps(40))
    const named = write('other.yaml', 'retryLimit: 1\n')
    const keys = [...limit, 'retryLimit']
    expect(await settled(keys, { configFile: named })).toEqual([undefined, [1, 'other.yaml:1']])
    expect(await settled(keys, {}, { SCHOLIUM_CONFIG: named })).toEqual([
      undefined,
      [1, 'other.yaml:1'],
    ])
  })

  it('the nearest folder with a configuration is the project; its .env is read, and no other', async () => {
    write('project/scholium.yaml', '')
    write('.env', 'SCHOLIUM_MAX_STEPS=1\n')
    write('project/deep/.env', 'SCHOLIUM_MAX_STEPS=2\n')
    expect(await settled(limit)).toEqual([undefined])
  })

  it('a variable that cannot be used is a mistake of that variable', async () => {
    write('project/scholium.yaml', '')
    write('project/.env', 'SCHOLIUM_MAX_TOKENS=lots\n')
    const { problems } = await read(
      {},
      { SCHOLIUM_MAX_COST_USD: '0', SCHOLIUM_MODEL: 'critik=a:b', SCHOLIUM_RETRY_LIMIT: '' },
    )
    expect(problems.map(({ place, message }) => [place.replace(`${root}/`, ''), message])).toEqual([
      ['project/.env:1', 'limits.maxTokens must be a whole number of at least 1'],
      ['environment SCHOLIUM_MODEL', 'Unknown model role "critik".'],
      ['environment SCHOLIUM_MAX_COST_USD', 'limits.maxCostUsd must be a number above 0'],
    ])
  })

  it('a role is named after its option', async () => {
    await expect(read({ models: ['critik=x'] })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('Did you mean critic?'),
    })
  })
})

describe('.env', () => {
  it('gives only variables that are known, and none that the environment has', async () => {
    write('project/scholium.yaml', 'models: {default: {name: openai:x, apiKeyFrom: MY_KEY}}\n')
    write(
      'project/.env',
      'OPENAI_API_KEY=a\nMY_KEY=b\nAWS_SECRET_ACCESS_KEY=c\nPATH=/evil\nNODE_OPTIONS=--require=/evil.js\nSCHOLIUM_CONFIG=/evil.yaml\nANTHROPIC_API_KEY=d\n',
    )
    const { environment, envFile } = await read(
      {},
      { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: 'real' },
    )
    expect(envFile.variables).toEqual({ MY_KEY: 'b' })
    expect(environment).toMatchObject({
      OPENAI_API_KEY: '',
      MY_KEY: 'b',
      ANTHROPIC_API_KEY: 'real',
    })
    expect(environment).not.toHaveProperty('NODE_OPTIONS')
  })

  it('may be a folder, as Python people have it, or a link to nowhere', async () => {
    write('project/scholium.yaml', '')
    mkdirSync(join(root, 'project', '.env'))
    expect((await read()).problems).toEqual([])
    rmSync(join(root, 'project', '.env'), { recursive: true })
    symlinkSync(join(root, 'nowhere'), join(root, 'project', '.env'))
    expect((await read()).problems).toEqual([])
  })
})
