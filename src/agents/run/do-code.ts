import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { SandboxError, SandboxResult } from '../../tools/sandbox/sandbox-result.ts'
import type { SandboxCode } from '../../tools/sandbox/sandbox-session.ts'
import type { CodeLanguage } from '../document/agent-document.ts'
import type { AgentRun, Site } from './agent-run.ts'
import { checkSize, recordsIn, withRecords } from './branch-state.ts'
import { PYTHON_NODE } from './python-node.ts'
import { visibleState } from './state.ts'

/** Code as a node or step has it. */
export interface Code {
  readonly language: CodeLanguage
  readonly code: string
  /** Whether what Python changes in `state` belongs to what it gives. Default false. */
  readonly keepsState?: boolean
}

const languageNames: Readonly<Record<CodeLanguage, string>> = {
  python: 'Python',
  lua: 'Lua',
  prolog: 'Prolog',
  javascript: 'JavaScript',
}

/**
 * What code gives, run once for the run: ever after its value comes from the log. The code finds `state`, `variables` and `data`,
 * beside the names of its place; secrets it does not find.
 * @throws `tool_failed` with language and line for what the code throws, or a limit that it meets
 */
export async function runCode(run: AgentRun, given: Code, site: Site): Promise<Json> {
  const { language, code } = given
  const { sandbox } = run.parts
  const { context, state, names } = site
  if (sandbox === undefined && !context.isReplay)
    throw new ScholiumError('invalid_configuration', 'There is no sandbox for code.')
  const input = inputOf(run, state, names)
  return context.step(
    'run',
    'pure',
    { language, code, input },
    async ({ signal }) => {
      const result = await run.session().run(asRun(given, input), signal)
      const { output } = result
      if (output !== '')
        context.emit('progress', { output: output.slice(0, maxShownOutput) }, 'run')
      return codeValue(language, result)
    },
    { label: `${languageNames[language]} code`, reservation: { steps: 1, tokens: 0, costUsd: 0 } },
  )
}

/** What the sandbox runs: Python has rules of the format that its interpreter does not know. */
function asRun({ language, code, keepsState = false }: Code, input: JsonObject): SandboxCode {
  if (language === 'python') {
    const all = { node_code: code, node_input: input, node_keeps: keepsState }
    return { language, code: PYTHON_NODE, input: all }
  }
  const { parallel_results: results, state } = input
  const seen = withRecords(state as JsonObject)
  const parallel = Array.isArray(results) ? { parallel_results: recordsIn(results, seen) } : {}
  const all =
    seen === state && !Array.isArray(results) ? input : { ...input, ...parallel, state: seen }
  if (all !== input) checkSize(all, maxCodeCharacters)
  return { language, code, input: all }
}

const maxShownOutput = 2_000

/** Characters that code other than Python may be given where results of branches are written out for it. */
const maxCodeCharacters = 16_000_000

function inputOf({ document }: AgentRun, state: JsonObject, names: JsonObject): JsonObject {
  const { variables, data } = document
  const parallel = state.parallel_results
  return {
    state: visibleState(state),
    variables,
    data,
    ...(parallel === undefined ? {} : { parallel_results: parallel }),
    ...names,
  }
}

function codeValue(language: CodeLanguage, { value, error }: SandboxResult): Json {
  if (error !== null) throw codeFailed(language, error)
  if (typeof value === 'string' && /\n… \d+ characters cut …\n/.test(value)) {
    throw new ScholiumError(
      'tool_failed',
      `${languageNames[language]} returned more than can be stored.`,
      {
        hint: 'Return less, or write it to a file.',
        details: { language },
      },
    )
  }
  // Of a goal without variables and without return/2 only that it held is known.
  return language === 'prolog' && JSON.stringify(value) === '[{}]' ? null : value
}

function codeFailed(language: CodeLanguage, { type, message, line }: SandboxError): ScholiumError {
  // What cannot be kept has no line of its own: the code as a whole gave it.
  const isOfState = type === 'StateError'
  const where = line === null || isOfState ? '' : `, line ${line}`
  const said = isOfState ? message : `${type}: ${message}`
  return new ScholiumError('tool_failed', `${languageNames[language]}${where}: ${said}`, {
    retryable: type === 'TimeLimitExceeded' || type === 'SandboxCrashed',
    details: { language, type, ...(line === null || isOfState ? {} : { line }) },
  })
}
