import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { examine } from '../doctor/examine.ts'
import type { Environment } from '../trust/user-folders.ts'
import { toAppOptions } from './app-settings.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { projectModels, unusedDeployments } from './role-models.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-accepted-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const azure = {
  AZURE_OPENAI_ENDPOINT: 'https://r.openai.azure.com',
  AZURE_OPENAI_API_KEY: 'a-key',
}

const deployments = {
  AZURE_OPENAI_DEPLOYMENT_NAME: 'gpt-4o-mini',
  AZURE_OPENAI_EMBEDDING_DEPLOYMENT_NAME: 'text-embedding-3-small',
}

function configured(environment: Environment): Promise<Configuration> {
  return readConfiguration({
    environment: { XDG_CONFIG_HOME: join(folder, 'none'), ...environment },
    folder,
  })
}

async function modelsOf(environment: Environment) {
  const { models } = toAppOptions(await configured(environment), 'new')
  return models
}

describe('variables of other programs', () => {
  it('choose no model that costs: a deployment of Azure OpenAI is only told', async () => {
    const configuration = await configured({ ...azure, ...deployments })
    expect(toAppOptions(configuration, 'new').models).toBeUndefined()
    expect(unusedDeployments(configuration)).toEqual([
      'Your Azure deployment gpt-4o-mini is set: use it with --model azure',
      'Your Azure deployment of embeddings text-embedding-3-small is set: use it with --model embedding=azure',
    ])
  })

  it('say which deployments are meant by azure alone', async () => {
    const configuration = await configured({
      ...azure,
      ...deployments,
      SCHOLIUM_MODEL: 'azure embedding=azure critic=azure:other',
    })
    expect(toAppOptions(configuration, 'new').models).toEqual({
      default: { name: 'azure:gpt-4o-mini' },
      embedding: { name: 'azure:text-embedding-3-small' },
      critic: { name: 'azure:other' },
    })
    expect(unusedDeployments(configuration)).toEqual([])
  })

  it('leave azure alone what it is where they are not set', async () => {
    const models = await modelsOf({ ...azure, SCHOLIUM_MODEL: 'azure' })
    expect(models).toEqual({ default: { name: 'azure' } })
  })

  it('give prices only where both of them are set', async () => {
    const both = await configured({ PRICING_INPUT_PER_1M: '0.5', PRICING_OUTPUT_PER_1M: '2' })
    expect(toAppOptions(both, 'new').prices).toEqual({
      'azure:*': { inputUsdPerMTok: 0.5, outputUsdPerMTok: 2 },
    })
    const one = await configured({ PRICING_INPUT_PER_1M: '0.5' })
    expect(toAppOptions(one, 'new').prices).toBeUndefined()
  })

  it('give vectors a price of their own', async () => {
    const deployed = { ...azure, AZURE_OPENAI_EMBEDDING_DEPLOYMENT_NAME: 'text-embedding-3-small' }
    const told = await configured({ ...deployed, PRICING_EMBEDDING_PER_1M: '0.05' })
    expect(toAppOptions(told, 'new').prices).toEqual({
      'azure:text-embedding-3-small': { inputUsdPerMTok: 0.05, outputUsdPerMTok: 0 },
    })
    const listed = await configured({
      ...deployed,
      PRICING_INPUT_PER_1M: '5',
      PRICING_OUTPUT_PER_1M: '15',
    })
    expect(toAppOptions(listed, 'new').prices).toMatchObject({
      'azure:text-embedding-3-small': { inputUsdPerMTok: 0.02, outputUsdPerMTok: 0 },
    })
  })

  it('are told with their name where they hold no price', async () => {
    const { problems } = await configured({
      PRICING_INPUT_PER_1M: 'cheap',
      PRICING_OUTPUT_PER_1M: '2',
    })
    expect(problems).toEqual([
      { place: 'environment PRICING_INPUT_PER_1M', message: 'must be a number of at least 0' },
    ])
  })

  it('are taken from a .env as far as they name and price models', async () => {
    writeFileSync(
      join(folder, '.env'),
      'AZURE_OPENAI_DEPLOYMENT_NAME=from-file\nUSE_MCP_ARXIV=true\n',
    )
    const configuration = await configured({ ...azure, SCHOLIUM_MODEL: 'azure' })
    rmSync(join(folder, '.env'))
    const { models } = toAppOptions(configuration, 'new')
    expect(models).toEqual({ default: { name: 'azure:from-file' } })
    // Whose file it is, is said before it is used.
    expect(projectModels(configuration)).toEqual([
      `azure:from-file at ${azure.AZURE_OPENAI_ENDPOINT}/openai/v1 (${join(folder, '.env')}:1)`,
    ])
    expect(configuration.environment.USE_MCP_ARXIV).toBeUndefined()
  })

  it('are shown by doctor with what they do', async () => {
    const configuration = await configured({
      SCHOLIUM_HOME: join(folder, 'home'),
      AZURE_OPENAI_API_VERSION: '2024-05-01-preview',
      USE_MCP_ARXIV: 'true',
      ...deployments,
    })
    const { findings } = await examine(configuration, { maxMs: 20_000 })
    const told = findings.filter(({ area }) => area === 'configuration').map(({ text }) => text)
    expect(told).toContain(
      'AZURE_OPENAI_API_VERSION is set. Has no effect: the v1 API needs no version',
    )
    expect(told).toContain('Your Azure deployment gpt-4o-mini is set: use it with --model azure')
    expect(told.some((text) => text.startsWith('USE_MCP_ARXIV is set. true: with --web'))).toBe(
      true,
    )
  })
})
