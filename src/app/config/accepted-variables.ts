import { azureName, deploymentVariables, withDeployment } from '../../models/azure-deployment.ts'
import { pricesByName } from '../../models/prices.ts'
import type { Environment } from '../trust/user-folders.ts'
import { flatten } from './flatten.ts'
import type { Origin, Problem } from './origin.ts'
import type { FileOutcome } from './read-file.ts'
import type { ConfigFile } from './schema.ts'

/** A variable that other programs for papers read, and what it does here. */
export interface AcceptedVariable {
  readonly name: string
  /** What it does, or why it does nothing. */
  readonly meaning: string
  readonly isWithoutEffect?: true
  /** Whether it is taken from a project's `.env` as well. */
  readonly isOfEnvFile?: true
  /** What is said to somebody who has it set. Default: its meaning. */
  readonly told?: (value: string) => string
}

const withoutEffect = (name: string, meaning: string): AcceptedVariable => ({
  name,
  meaning: `No effect: ${meaning}.`,
  isWithoutEffect: true,
})

/** Names under which people have their settings already, beside the providers' own keys and addresses. */
export const acceptedVariables: readonly AcceptedVariable[] = [
  {
    name: deploymentVariables.language,
    meaning:
      'Which deployment `--model azure` means, and `azure` as a model in a file. It chooses no model by itself.',
    isOfEnvFile: true,
    told: (deployment) => `Your Azure deployment ${deployment} is set: use it with --model azure`,
  },
  {
    name: deploymentVariables.embedding,
    meaning: 'The same for `--model embedding=azure`.',
    isOfEnvFile: true,
    told: (deployment) =>
      `Your Azure deployment of embeddings ${deployment} is set: use it with --model embedding=azure`,
  },
  withoutEffect('AZURE_OPENAI_API_VERSION', 'the v1 interface that is spoken needs no version'),
  withoutEffect('USE_RESPONSES_API', 'Azure is asked over the responses interface always'),
  {
    name: 'PRICING_INPUT_PER_1M',
    meaning:
      'US dollars for a million tokens read by models of Azure OpenAI, where `PRICING_OUTPUT_PER_1M` is set as well.',
    isOfEnvFile: true,
  },
  {
    name: 'PRICING_OUTPUT_PER_1M',
    meaning: 'The same for tokens written, where `PRICING_INPUT_PER_1M` is set as well.',
    isOfEnvFile: true,
  },
  {
    name: 'PRICING_EMBEDDING_PER_1M',
    meaning:
      'US dollars for a million tokens of which the embedding deployment of Azure OpenAI makes vectors.',
    isOfEnvFile: true,
  },
  {
    name: 'USE_MCP_ARXIV',
    meaning:
      '`true`: with `--web`, papers are searched through an arXiv MCP server first: the one that `.mcp.json` calls `arxiv`, else one that listens on `FASTMCP_SERVER_PORT`.',
  },
  {
    name: 'USE_LEGACY_MCP',
    meaning: '`true`: that server is the program `arxiv-mcp-server`, spoken to over its stdin.',
  },
  {
    name: 'MCP_ARXIV_STORAGE_PATH',
    meaning: 'The folder in which that program keeps papers.',
  },
  {
    name: 'FASTMCP_SERVER_PORT',
    meaning: 'The port of this machine on which that server listens. Default: 5555.',
  },
  {
    name: 'LANGFUSE_ENABLED',
    meaning: '`false`: nothing is sent to Langfuse, whatever keys are set.',
  },
  withoutEffect('LANGFUSE_TRACE_ALL_LLM', 'every call of a model is in a trace'),
  withoutEffect('LANGFUSE_TRACE_RAG', 'every search and reading is in a trace'),
  withoutEffect('LANGFUSE_FLUSH_AT', 'spans are sent as runs go on, the rest at their end'),
  withoutEffect('LANGFUSE_FLUSH_INTERVAL', 'spans are sent as runs go on, the rest at their end'),
]

/** The settings that such variables stand for: the weakest of all, but for what holds where nothing is set. */
export function settingsOfAccepted(
  environment: Environment,
  originOf: (variable: string) => Origin,
): FileOutcome {
  const textOf = (name: string) => (environment[name] ?? '').trim()
  const problems: Problem[] = []
  const priceOf = (name: string): number | undefined => {
    const text = textOf(name)
    if (text === '') return undefined
    const price = Number(text)
    if (Number.isFinite(price) && price >= 0) return price
    problems.push({ place: originOf(name).text, message: 'must be a number from 0 on' })
    return undefined
  }
  const whole = withDeployment(azureName, 'embedding', environment)
  const embedding = whole === azureName ? undefined : whole
  const config: ConfigFile = { prices: pricesFrom(priceOf, embedding) }
  const settings = flatten(config, ([, name = '']) => originOf(variableOfPrice(name)))
  return { settings, problems }
}

function pricesFrom(
  priceOf: (name: string) => number | undefined,
  embedding: string | undefined,
): NonNullable<ConfigFile['prices']> {
  const input = priceOf('PRICING_INPUT_PER_1M')
  const output = priceOf('PRICING_OUTPUT_PER_1M')
  const given = priceOf('PRICING_EMBEDDING_PER_1M')
  const hasBoth = input !== undefined && output !== undefined
  // The price of what is written would else stand for vectors too.
  const listed = pricesByName.get(embedding?.replace('azure:', 'openai:') ?? '')
  const ofVectors = given ?? (hasBoth ? listed?.inputUsdPerMTok : undefined)
  return {
    ...(hasBoth ? { 'azure:*': { inputUsdPerMTok: input, outputUsdPerMTok: output } } : {}),
    ...(embedding === undefined || ofVectors === undefined
      ? {}
      : { [embedding]: { inputUsdPerMTok: ofVectors, outputUsdPerMTok: 0 } }),
  }
}

function variableOfPrice(name: string): string {
  return name === 'azure:*' ? 'PRICING_INPUT_PER_1M' : 'PRICING_EMBEDDING_PER_1M'
}
