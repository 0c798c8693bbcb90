import { ScholiumError } from '../../kernel/errors.ts'
import { hashJson, type JsonObject } from '../../kernel/json.ts'
import { checkSchema } from '../actions/tools/json-schema/check-schema.ts'
import type { AgentDocument } from '../document/agent-document.ts'
import type { EnvironmentValues } from '../templates/environment.ts'
import { listSecretVariables } from './secrets.ts'
import { toPatch } from './state.ts'

/** An agent file and its input: everything a run depends on, so that it can be resumed from its log alone. */
export type AgentInput = {
  readonly document: AgentDocument
  readonly input: JsonObject
  /** Files that nodes run for each item of a list, including nested ones, by the path that the nodes use. */
  readonly subgraphs?: Readonly<Record<string, AgentDocument>>
  /** Environment variables that the files may read, secrets excluded. They see no others. */
  readonly environment?: EnvironmentValues
  /** Names of secret variables that had a value; the values are in `AgentParts.secrets` and never recorded. */
  readonly secretNames?: readonly string[]
  /** Variables that the files read and that have a value, but were not granted; the run reports them. */
  readonly withheld?: readonly string[]
}

/** {@link AgentInput} as a run records it. */
export type AgentRunInput = AgentInput & JsonObject

/**
 * Creates the input of `agentWorkflow`, checked except for `input_schema`: see `checkAgentInput`.
 * @throws `invalid_input` for a key that no state can have; `invalid_agent_file` for a secret in a file, which is part
 * of the log
 */
export function createAgentInput(input: AgentInput): AgentRunInput {
  for (const document of [input.document, ...Object.values(input.subgraphs ?? {})])
    checkSecrets(document)
  checkEnvironment(input)
  toPatch(input.input, 'The input')
  return input as AgentRunInput
}

function checkSecrets({ name, secrets }: AgentDocument): void {
  const written = Object.keys(secrets).find((key) => /^[^$]+$/.test(secrets[key] as string))
  if (written === undefined) return
  throw new ScholiumError(
    'invalid_agent_file',
    `The secret ${written} is written in ${name} itself, and agent files are recorded in the log of their runs.`,
    { hint: `Put it in an environment variable, and its name in the file: \${NAME}.` },
  )
}

/** @throws `invalid_input` for a secret that would be recorded */
function checkEnvironment({ document, subgraphs = {}, environment = {} }: AgentInput): void {
  for (const one of [document, ...Object.values(subgraphs)]) {
    const found = listSecretVariables(one).find((name) => Object.hasOwn(environment, name))
    if (found === undefined) continue
    throw new ScholiumError('invalid_input', `${found} is declared as a secret in ${one.name}.`, {
      hint: `Pass it as a secret, so that its value is not recorded: --secret ${found}.`,
    })
  }
}

/**
 * The files that a document runs for items of lists, including nested ones, by the paths that nodes use.
 * @param read returns the document at a path
 */
export async function loadSubgraphs(
  document: AgentDocument,
  read: (path: string) => Promise<AgentDocument>,
): Promise<Readonly<Record<string, AgentDocument>>> {
  const loaded = new Map<string, AgentDocument>()
  const open = [document]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const node of next.nodes) {
      if (node.kind !== 'each' || node.branch.kind !== 'subgraph') continue
      const { path } = node.branch
      if (loaded.has(path)) continue
      const inner = await read(path)
      loaded.set(path, inner)
      open.push(inner)
    }
  }
  return Object.fromEntries(loaded)
}

/** Hash of an agent file as a run records it. */
export function documentHash(document: AgentDocument): string {
  return hashJson(document)
}

/**
 * Checks a run's input against the file's `input_schema`, a JSON Schema of draft 2020-12.
 * @throws `invalid_input` if it does not match, `invalid_agent_file` for an unusable schema, the signal's reason
 */
export async function checkAgentInput(
  { name, inputSchema }: Pick<AgentDocument, 'name' | 'inputSchema'>,
  input: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  if (inputSchema === undefined) return
  const checked = await checkSchema({ type: 'object', ...inputSchema }, input, signal)
  if (!checked.ok) {
    const message = `The input_schema of ${name} is not a valid schema: ${checked.problem}`
    throw new ScholiumError('invalid_agent_file', message)
  }
  if (checked.errors.length === 0) return
  const told = checked.errors.map(({ path, message }) => `${path || 'the input'}: ${message}`)
  throw new ScholiumError(
    'invalid_input',
    `The input does not match the input_schema of ${name}:\n${told.join('\n')}`,
    {
      hint: 'Give it with --input as a JSON object.',
    },
  )
}
