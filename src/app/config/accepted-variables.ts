import { azureName, deploymentVariables, withDeployment } from '../../models/model-name.ts'
import { pricesByName } from '../../models/prices.ts'
import type { Environment } from '../trust/user-folders.ts'
import { flatten } from './flatten.ts'
import type { Origin, Problem } from './origin.ts'
import type { FileOutcome } from './read-file.ts'
import type { ConfigFile } from './schema.ts'

/** A variable of other programs for papers, and its effect here. */
export interface AcceptedVariable {
  readonly name: string
  /** Its effect, or why it has none. */
  readonly meaning: string
  readonly isWithoutEffect?: true
  /** Whether it is also read from a project's `.env`. */
  readonly isOfEnvFile?: true
  /** The message if it is set. Default: its meaning. */
  readonly told?: (value: string) => string
}

const withoutEffect = (name: string, meaning: string): AcceptedVariable => ({
  name,
  meaning: `Has no effect: ${meaning}.`,
  isWithoutEffect: true,
})

/** Variables that people may have set already, in addition to the providers' own keys and addresses. */
export const acceptedVariables: readonly AcceptedVariable[] = [
  {
    name: deploymentVariables.language,
    meaning:
      'The deployment behind `--model azure`, and behind `azure` as a model in a file. Does not select a model by itself.',
    isOfEnvFile: true,
    told: (deployment) => `Your Azure deployment ${deployment} is set: use it with --model azure`,
  },
  {
    name: deploymentVariables.embedding,
    meaning: 'The deployment behind `--model embedding=azure`.',
    isOfEnvFile: true,
    told: (deployment) =>
      `Your Azure deployment of embeddings ${deployment} is set: use it with --model embedding=azure`,
  },
  withoutEffect('AZURE_OPENAI_API_VERSION', 'the v1 API needs no version'),
  withoutEffect('USE_RESPONSES_API', 'Azure is always called through the Responses API'),
  {
    name: 'PRICING_INPUT_PER_1M',
    meaning:
      'US dollars per million input tokens of Azure OpenAI models; needs `PRICING_OUTPUT_PER_1M` too.',
    isOfEnvFile: true,
  },
  {
    name: 'PRICING_OUTPUT_PER_1M',
    meaning:
      'US dollars per million output tokens of Azure OpenAI models; needs `PRICING_INPUT_PER_1M` too.',
    isOfEnvFile: true,
  },
  {
    name: 'PRICING_EMBEDDING_PER_1M',
    meaning: 'US dollars per million tokens embedded by the Azure OpenAI embedding deployment.',
    isOfEnvFile: true,
  },
  {
    name: 'USE_MCP_ARXIV',
    meaning:
      '`true`: with `--web`, search arXiv through an MCP server first: the one named `arxiv` in `.mcp.json`, otherwise one that listens on `FASTMCP_SERVER_PORT`.',
  },
  {
    name: 'USE_LEGACY_MCP',
    meaning: '`true`: that server is the program `arxiv-mcp-server`, used over stdin.',
  },
  {
    name: 'MCP_ARXIV_STORAGE_PATH',
    meaning: 'Folder in which that program stores papers.',
  },
  {
    name: 'FASTMCP_SERVER_PORT',
    meaning: 'Local port on which that server listens. Default: 5555.',
  },
  {
    name: 'LANGFUSE_ENABLED',
    meaning: '`false`: send nothing to Langfuse, even if its keys are set.',
  },
  withoutEffect('LANGFUSE_TRACE_ALL_LLM', 'traces always contain model calls'),
  withoutEffect('LANGFUSE_TRACE_RAG', 'traces always contain searches and reads'),
  withoutEffect('LANGFUSE_FLUSH_AT', 'spans are sent during a run, the rest at its end'),
  withoutEffect('LANGFUSE_FLUSH_INTERVAL', 'spans are sent during a run, the rest at its end'),
]

/** The settings from such variables: weaker than all others, stronger only than defaults. */
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
    problems.push({ place: originOf(name).text, message: 'must be a number of at least 0' })
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
  // Otherwise, the price of written text would apply to vectors too.
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
