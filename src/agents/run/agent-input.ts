import { ScholiumError } from '../../kernel/errors.ts'
import { hashJson, type JsonObject } from '../../kernel/json.ts'
import { checkSchema } from '../actions/tools/json-schema/check-schema.ts'
import type { AgentDocument } from '../document/agent-document.ts'
import type { EnvironmentValues } from '../templates/environment.ts'
import { secretVariablesOf } from './secrets.ts'
import { asPatch } from './state.ts'

/** An agent file and what it is given: all that a run of it depends on, so that its log alone can go on with it. */
export type AgentInput = {
  readonly document: AgentDocument
  readonly input: JsonObject
  /** The files that its nodes run for each item of a list, and theirs, by the path that the nodes have. */
  readonly subgraphs?: Readonly<Record<string, AgentDocument>>
  /** What the files may read of the environment, secrets apart. Nothing else of it is there for them. */
  readonly environment?: EnvironmentValues
  /** Names of the variables that are secrets and had a value; the values are in `AgentParts.secrets` and in no record. */
  readonly secretNames?: readonly string[]
  /** Variables that the files read, that have a value, and that the operator did not give: the run says so. */
  readonly withheld?: readonly string[]
}

/** The form of {@link AgentInput} in which a run takes it. */
export type AgentRunInput = AgentInput & JsonObject

/**
 * An input for `agentWorkflow`, checked but for the file's `input_schema`: see `checkAgentInput`.
 * @throws `invalid_input` for a key that no state can have; `invalid_agent_file` for a secret that stands in a file, which is
 *   part of the log
 */
export function agentInput(input: AgentInput): AgentRunInput {
  for (const document of [input.document, ...Object.values(input.subgraphs ?? {})])
    checkSecrets(document)
  checkEnvironment(input)
  asPatch(input.input, 'The input')
  return input as AgentRunInput
}

function checkSecrets({ name, secrets }: AgentDocument): void {
  const written = Object.keys(secrets).find((key) => /^[^$]+$/.test(secrets[key] as string))
  if (written === undefined) return
  throw new ScholiumError(
    'invalid_agent_file',
    `The secret ${written} stands in ${name} itself, and a file is part of the log of its runs.`,
    { hint: `Put it into a variable of the environment, and its name into the file: \${NAME}.` },
  )
}

/** @throws `invalid_input` for a secret of a file that would come into the record */
function checkEnvironment({ document, subgraphs = {}, environment = {} }: AgentInput): void {
  for (const one of [document, ...Object.values(subgraphs)]) {
    const found = secretVariablesOf(one).find((name) => Object.hasOwn(environment, name))
    if (found === undefined) continue
    throw new ScholiumError('invalid_input', `${found} is a secret of ${one.name}.`, {
      hint: `Give it as one, so that its value stays out of the record: --secret ${found}.`,
    })
  }
}

/**
 * The files that a document runs for items of lists, and theirs, by the paths its nodes have.
 * @param read gives the document of a path
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

/** The hash of an agent file as a run takes it: other text, other hash. */
export function documentHash(document: AgentDocument): string {
  return hashJson(document)
}

/**
 * Holds the input of a run against the `input_schema` of its file, a JSON Schema of draft 2020-12.
 * @throws `invalid_input` for an input that does not fit, `invalid_agent_file` for a schema that cannot be used, the signal's reason
 */
export async function checkAgentInput(
  { name, inputSchema }: Pick<AgentDocument, 'name' | 'inputSchema'>,
  input: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  if (inputSchema === undefined) return
  const checked = await checkSchema({ type: 'object', ...inputSchema }, input, signal)
  if (!checked.ok) {
    const message = `The input_schema of ${name} is no schema that can be read: ${checked.problem}`
    throw new ScholiumError('invalid_agent_file', message)
  }
  if (checked.errors.length === 0) return
  const told = checked.errors.map(({ path, message }) => `${path || 'the input'}: ${message}`)
  throw new ScholiumError('invalid_input', `The input does not fit ${name}:\n${told.join('\n')}`, {
    hint: 'Give it with --input as a JSON object.',
  })
}
