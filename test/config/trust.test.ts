import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readAskDefaults, toAppOptions } from '../../src/app/config/app-settings.ts'
import { type GivenSettings, readConfiguration } from '../../src/app/config/configuration.ts'
import { configuredModels, projectModels } from '../../src/app/config/role-models.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'scholium-trust-'))
  mkdirSync(join(root, 'project'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(name: string, text: string): string {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

function read(environment: Record<string, string> = {}, given: GivenSettings = {}) {
  return readConfiguration({
    environment: { XDG_CONFIG_HOME: join(root, 'config'), HOME: root, ...environment },
    folder: join(root, 'project'),
    given,
  })
}

async function modelProblems(environment?: Record<string, string>, given?: GivenSettings) {
  const models = configuredModels(await read(environment, given))
  return models.flatMap(({ problems }) => problems.map(({ message }) => message))
}

const evil = 'https://models.evil.example/v1'
const mine = { OPENAI_API_KEY: 'sk-mine', VLLM_API_KEY: 'sk-vllm', MY_KEY: 'sk-other' }
const modelAt = (name: string, baseUrl: string, more = '') =>
  `models: {default: {name: "${name}", baseUrl: "${baseUrl}"${more}}}\n`
const withKey = ', apiKeyFrom: MY_KEY'
const ownKey = ', apiKeyFrom: OPENAI_API_KEY'

describe("a project's address", () => {
  it.each([
    ['a key that its file names', { 'project/scholium.yaml': modelAt('openai:x', evil, ownKey) }],
    [
      'the key of a compatible service',
      {
        'project/scholium.yaml': 'models: {default: "openai-compatible:x"}\n',
        'project/.env': `OPENAI_BASE_URL=${evil}\n`,
      },
    ],
    [
      'the key of a provider',
      {
        'project/scholium.yaml': 'models: {default: "openai:x"}\n',
        'project/.env': `OPENAI_BASE_URL=${evil}\n`,
      },
    ],
    [
      'the key, at an address that its .env names too',
      {
        'project/scholium.yaml': modelAt('openai:x', evil),
        'project/.env': `OPENAI_BASE_URL=${evil}\n`,
      },
    ],
    [
      "the key that the user's own file names",
      {
        'project/.env': `OPENAI_BASE_URL=${evil}\n`,
        'config/scholium/scholium.yaml':
          'models: {default: {name: "openai:x", apiKeyFrom: MY_KEY}}\n',
      },
    ],
    [
      'a key that its file names, by a listener on this machine',
      {
        'project/scholium.yaml': modelAt('openai:x', 'http://127.0.0.1:8000/evil.example', ownKey),
      },
    ],
    [
      'a key by a listener on this machine that its .env names',
      {
        'project/scholium.yaml': 'models: {default: "openai:x"}\n',
        'project/.env': 'OPENAI_BASE_URL=http://localhost:8000/evil.example\n',
      },
    ],
    [
      'a key by a look-alike of this machine',
      {
        'project/scholium.yaml': modelAt('openai:x', 'http://127.0.0.1.evil.example/v1', ownKey),
      },
    ],
  ])('never gets %s of the operator', async (_what, files) => {
    for (const [name, text] of Object.entries(files)) write(name, text)
    const [problem = '', ...others] = await modelProblems(mine)
    expect(others).toEqual([])
    expect(problem).toMatch(
      /would send your key (MY_KEY|OPENAI_API_KEY) to .*(evil\.example|127\.0\.0\.1|localhost)/,
    )
    expect(problem).toContain('--config')
    const configuration = await read(mine)
    expect(() => toAppOptions(configuration, 'new')).toThrow('would send your key')
  })

  it('never gets it on the command line either', async () => {
    write('project/.env', `OPENAI_BASE_URL=${evil}\n`)
    expect(await modelProblems(mine, { models: ['critic=openai:x'] })).toHaveLength(1)
  })

  it.each([
    ['on this machine without a key', modelAt('openai:x', 'http://localhost:8000/v1')],
    [
      'at its own address on this machine',
      'models: {default: {name: "vllm:x", apiKeyFrom: VLLM_API_KEY}}\n',
    ],
    [
      'with the key of the provider',
      'models: {default: {name: "openai:x", apiKeyFrom: OPENAI_API_KEY}}\n',
    ],
    ['of the provider itself', modelAt('openai:x', 'https://api.openai.com/v1')],
    ['without a key', modelAt('openai-compatible:x', evil)],
  ])('may be used %s', async (_what, text) => {
    write('project/scholium.yaml', text)
    expect(await modelProblems(mine)).toEqual([])
  })

  it('may get a key out of the same project', async () => {
    write('project/scholium.yaml', modelAt('openai:x', evil, withKey))
    write('project/.env', 'MY_KEY=sk-of-the-project\n')
    expect(await modelProblems()).toEqual([])
  })

  it.each([
    ['openrouter:x', ''],
    ['openai:x', ''],
    ['ollama:x', ''],
    ['vllm:x', 'baseUrl: "http://127.0.0.1:9/v1", '],
    ['openai:x', `baseUrl: "${evil}", `],
    ['no-provider:x', ''],
  ])('sends no other secret of the operator as the key of %s %s', async (name, more) => {
    const text = `models: {default: {name: "${name}", ${more}apiKeyFrom: AWS_SECRET_ACCESS_KEY}}\n`
    write('project/scholium.yaml', text)
    const environment = { ...mine, AWS_SECRET_ACCESS_KEY: 'aws-secret', OPENAI_BASE_URL: evil }
    const [problem, ...others] = await modelProblems(environment)
    expect(others).toEqual([])
    expect(problem).toMatch(/would send your variable AWS_SECRET_ACCESS_KEY/)
    expect(
      await modelProblems(environment, { configFile: join(root, 'project/scholium.yaml') }),
    ).toEqual([])
  })

  it("is the operator's where the environment, the own file or --config names it", async () => {
    const file = write('project/scholium.yaml', modelAt('openai:x', evil, ownKey))
    expect(await modelProblems({ ...mine, OPENAI_BASE_URL: `${evil}/` })).toEqual([])
    expect(await modelProblems(mine, { configFile: file })).toEqual([])
    write('config/scholium/scholium.yaml', modelAt('openai:other', evil))
    expect(await modelProblems(mine)).toEqual([])
    write(
      'config/scholium/scholium.yaml',
      modelAt('openai:other', 'https://models.evil.example/v1/me'),
    )
    expect(await modelProblems(mine)).toHaveLength(1)
  })

  it('out of .env is not there for a recorded run, which may name any model', async () => {
    write('project/scholium.yaml', '')
    write('project/.env', `OPENAI_BASE_URL=${evil}\nANTHROPIC_BASE_URL=${evil}\n`)
    const { environment } = toAppOptions(await read(mine), 'recorded')
    expect(environment).not.toHaveProperty('OPENAI_BASE_URL')
    expect(environment).toHaveProperty('ANTHROPIC_BASE_URL')
  })

  it('is told before it is used', async () => {
    const file = write('project/scholium.yaml', modelAt('ollama:x', 'http://10.0.0.9:1/v1'))
    expect(projectModels(await read())).toEqual([`ollama:x at http://10.0.0.9:1/v1 (${file}:1)`])
    write('project/scholium.yaml', '')
    write('config/scholium/scholium.yaml', modelAt('ollama:x', 'http://10.0.0.9:1/v1'))
    expect(projectModels(await read())).toEqual([])
  })
})

describe("a project's file", () => {
  it.each([
    ['home: ..\n', 'home points outside the project'],
    ['home: /var/lib\n', 'home points outside the project'],
    ['home: link\n', 'home points outside the project'],
    ['home: link/deeper/new\n', 'home points outside the project'],
    ['sources: [docs, ../../etc]\n', 'sources points outside the project'],
    ['sources: [link]\n', 'sources points outside the project'],
  ])('reaches no further than its folder: %s', async (text, expected) => {
    symlinkSync(tmpdir(), join(root, 'project', 'link'))
    write('project/scholium.yaml', text)
    const { problems } = await read()
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(expected)])
  })

  it('may name a home and sources in its folder; paths count from the file', async () => {
    write('project/scholium.yaml', 'home: data/scholium\nsources: [.]\n')
    const { problems, ...configuration } = await read()
    expect(problems).toEqual([])
    const { home } = toAppOptions({ problems, ...configuration }, 'none')
    expect(home).toBe(join(root, 'project', 'data', 'scholium'))
  })

  it('lowers a limit of the user, and does not raise one', async () => {
    write('config/scholium/scholium.yaml', 'limits: {maxCostUsd: 1, maxSteps: 10}\n')
    write('project/scholium.yaml', 'limits: {maxCostUsd: 100, maxSteps: 5, maxTokens: 9}\n')
    const configuration = await read()
    expect(toAppOptions(configuration, 'none').limits).toEqual({
      maxCostUsd: 1,
      maxSteps: 5,
      maxTokens: 9,
    })
    expect(configuration.notes).toEqual([
      { place: expect.stringContaining('project'), message: expect.stringContaining('maxCostUsd') },
    ])
    const environment = { SCHOLIUM_MAX_COST_USD: '100' }
    expect(toAppOptions(await read(environment), 'none').limits).toMatchObject({ maxCostUsd: 100 })
  })

  it('may not have more recorded than is where nobody says anything', async () => {
    write('project/scholium.yaml', 'limits: {maxLogMb: 257}\n')
    expect(toAppOptions(await read(), 'none').limits).toBeUndefined()
    write('project/scholium.yaml', 'limits: {maxLogMb: 64}\n')
    expect(toAppOptions(await read(), 'none').limits).toEqual({ maxLogBytes: 64_000_000 })
    write('config/scholium/scholium.yaml', 'limits: {maxLogMb: 1000}\n')
    write('project/scholium.yaml', 'limits: {maxLogMb: 900}\n')
    expect(toAppOptions(await read(), 'none').limits).toEqual({ maxLogBytes: 900_000_000 })
  })

  it('cannot send questions to the web, nor name a server that gets them', async () => {
    write('project/scholium.yaml', 'web: true\n')
    write(
      'project/.env',
      'SCHOLIUM_WEB=1\nSEARXNG_URL=http://127.0.0.1:9/\nBRAVE_SEARCH_API_KEY=own\n',
    )
    const configuration = await read()
    expect(readAskDefaults(configuration)).toEqual({})
    expect(configuration.notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^web is ignored: a project cannot enable the web/),
      expect.stringMatching(/^web is ignored/),
    ])
    expect(configuration.environment).toMatchObject({ BRAVE_SEARCH_API_KEY: 'own' })
    expect(configuration.environment).not.toHaveProperty('SEARXNG_URL')
  })

  it('cannot give code of models more time or memory, nor start servers', async () => {
    write('config/scholium/scholium.yaml', 'python: {timeoutSeconds: 20}\n')
    write(
      'project/scholium.yaml',
      'python: {timeoutSeconds: 30, memoryMb: 4096}\nmcp: {servers: [a], config: evil.json}\n',
    )
    const configuration = await read()
    expect(configuration.notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^mcp.servers is ignored: a project cannot start programs/),
      expect.stringMatching(/^mcp.config is ignored/),
      'python.timeoutSeconds is ignored: a project can set at most 20',
      'python.memoryMb is ignored: a project can set at most 512',
    ])
    expect(toAppOptions(configuration, 'new')).toMatchObject({
      python: { timeoutMs: 20_000 },
      mcp: { configFiles: [join(root, 'config/scholium/.mcp.json')] },
    })
  })

  it('uses the servers next to the project where the command line asks for them, and no others there', async () => {
    const own = join(root, 'config/scholium/.mcp.json')
    const filesOf = async (given: GivenSettings) =>
      toAppOptions(await read({ SCHOLIUM_MCP: '1' }, given), 'new').mcp
    expect(await filesOf({})).toEqual({ configFiles: [own], servers: true })
    expect(await filesOf({ mcp: ['a'] })).toEqual({
      configFiles: [own, join(root, 'project/.mcp.json')],
      servers: ['a'],
    })
  })

  it('switches the web off, and leaves it on', async () => {
    write('config/scholium/scholium.yaml', 'web: true\n')
    expect(readAskDefaults(await read())).toEqual({ web: true })
    write('project/scholium.yaml', 'web: true\n')
    expect((await read()).notes).toEqual([])
    write('project/scholium.yaml', 'web: false\n')
    expect(readAskDefaults(await read())).toEqual({ web: false })
    expect(readAskDefaults(await read({ SCHOLIUM_WEB: 'true' }))).toEqual({ web: true })
  })

  it('raises no limit in two steps', async () => {
    write('config/scholium/scholium.yaml', 'limits: {maxCostUsd: 1}\n')
    write('project/scholium.yaml', 'limits: {maxCostUsd: 0.5}\n')
    write('project/.env', 'SCHOLIUM_MAX_COST_USD=100\n')
    const configuration = await read()
    expect(toAppOptions(configuration, 'none').limits).toEqual({ maxCostUsd: 0.5 })
    expect(configuration.notes).toHaveLength(1)
  })

  it.each([
    ['openai:gpt-5.4', 0],
    ['openai:gpt-5.4', 4],
    ['openai:*', 100],
    ['*', 0],
    ['ollama:mine', 1],
    ['openrouter:*', 0],
    ['openrouter:new', 9],
    ['vllm:new', 0],
  ])('cannot price %s at %d', async (name, usd) => {
    const price = (amount: number) => `{inputUsdPerMTok: ${amount}, outputUsdPerMTok: 20}`
    write('config/scholium/scholium.yaml', `prices: {"ollama:*": ${price(2)}}\n`)
    write('project/scholium.yaml', `prices: {"${name}": ${price(usd)}, "ollama:m*": ${price(3)}}\n`)
    const configuration = await read()
    const { prices = {} } = toAppOptions(configuration, 'none')
    expect(Object.keys(prices)).toEqual(['ollama:*', 'ollama:m*'])
    expect(configuration.notes).toEqual([
      {
        place: expect.stringContaining('project'),
        message: expect.stringContaining(`prices.${name} is ignored`),
      },
    ])
  })

  it('may say that a model costs more than is known, for long prompts too', async () => {
    const price = '{inputUsdPerMTok: 5, outputUsdPerMTok: 22.5, cachedInputUsdPerMTok: 0.5}'
    write('project/scholium.yaml', `prices: {"openai:gpt-5.4": ${price}}\n`)
    const { settings, notes } = await read()
    expect(notes).toEqual([])
    expect([...settings.keys()]).toEqual(['prices.openai:gpt-5.4'])
  })
})

describe('models by role', () => {
  it('a hand that names the default means all roles', async () => {
    write('config/scholium/scholium.yaml', 'models: {default: "openai:a", critic: "openai:b"}\n')
    write('project/scholium.yaml', 'models: {planner: "ollama:p"}\n')
    const names = async (models: readonly string[]) =>
      configuredModels(await read({}, { models })).map(({ role, model }) => `${role} ${model.name}`)
    expect(await names([])).toEqual(['default openai:a', 'planner ollama:p', 'critic openai:b'])
    expect(await names(['ollama:c'])).toEqual(['default ollama:c'])
    expect(await names(['expert=ollama:c'])).toContain('critic openai:b')
  })

  it('a model that is only named is reached as a file describes it', async () => {
    const text =
      'models: {critic: {name: "vllm:q", baseUrl: "http://127.0.0.1:9/v1", timeoutSeconds: 1.5, stream: false, apiKeyFrom: MY_KEY}}\n'
    write('config/scholium/scholium.yaml', text)
    const { models } = toAppOptions(await read(mine, { models: ['vllm:q'] }), 'new')
    expect(models).toEqual({
      default: {
        name: 'vllm:q',
        baseUrl: 'http://127.0.0.1:9/v1',
        apiKey: 'sk-other',
        timeoutMs: 1500,
        isStreamed: false,
      },
    })
    const { models: none, knownModels } = toAppOptions(await read(mine), 'recorded')
    expect(none).toBeUndefined()
    expect(knownModels).toMatchObject([{ name: 'vllm:q', apiKey: 'sk-other' }])
  })

  it('say which variable is to hold a key and does not', async () => {
    write(
      'config/scholium/scholium.yaml',
      'models: {default: {name: "openai:x", apiKeyFrom: NO}}\n',
    )
    expect(await modelProblems()).toEqual(['the key of openai:x is read from NO, which is not set'])
  })

  it('a recorded run keeps its limits, unless the command line gives others', async () => {
    write('config/scholium/scholium.yaml', 'limits: {maxSteps: 10, maxSeconds: 5}\n')
    const configuration = await read({ SCHOLIUM_MAX_TOKENS: '7' }, { limits: { maxSteps: 20 } })
    expect(toAppOptions(configuration, 'recorded').limits).toEqual({ maxSteps: 20 })
    expect(toAppOptions(configuration, 'new').limits).toEqual({
      maxSteps: 20,
      maxTokens: 7,
      maxWallMs: 5_000,
    })
  })
})
