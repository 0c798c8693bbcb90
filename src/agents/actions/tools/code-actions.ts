import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { ToolAction } from '../action.ts'
import {
  defineToolAction,
  failedResult,
  requireService,
  type ToolActionServices,
} from './tool-action.ts'

const maxCodeCharacters = 50_000
const maxTimeoutSeconds = 60

const codeInput = z.strictObject({
  code: z.string().min(1).max(maxCodeCharacters).describe('The code, at most 50,000 characters.'),
  language: z
    .enum(['python', 'javascript', 'lua', 'prolog'])
    .default('python')
    .describe('The language; python by default.'),
  input: z
    .record(z.string(), z.json())
    .default({})
    .describe('Variables for the code, by name. In Prolog they are facts: name(Value).'),
  timeout: z
    .number()
    .positive()
    .max(maxTimeoutSeconds)
    .default(30)
    .describe(
      'Time limit in seconds, including startup, at most 60; 30 by default. The limit of the sandbox also applies.',
    ),
  max_output_bytes: z
    .int()
    .min(1)
    .max(65_536)
    .default(65_536)
    .describe('Maximum characters of output to keep, 1 to 65,536.'),
})

/** Runs code without files, network or processes. */
export function codeActions(services: ToolActionServices): readonly ToolAction[] {
  return [executeAction(services)]
}

function executeAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'code.execute',
    description:
      'Runs code in a sandbox: standard library only, no files, network or processes. Each call starts afresh with the variables in `input`. Return value: Python, the last expression or `result`; JavaScript, the last expression; Lua, the returned value; Prolog, the solutions of the last goal.',
    input: codeInput,
    // It may read the clock, but touches nothing outside.
    effect: 'read',
    calculates: true,
    timeoutMs: (maxTimeoutSeconds + 30) * 1_000,
    result:
      '{success, stdout, stderr, return_value}, or {success: false, error, error_type, line, stdout, stderr, return_value: null}',
    execute: (given, { signal }) => runCode(services, given, signal),
  })
}

async function runCode(
  services: ToolActionServices,
  { code, language, input, timeout, max_output_bytes: most }: z.output<typeof codeInput>,
  signal: AbortSignal,
): Promise<Json> {
  const late = AbortSignal.timeout(timeout * 1_000)
  const sandbox = requireService(services, 'sandbox')()
  const given = { language, code: language === 'python' ? withResult(code) : code, input }
  try {
    const { output, value, error } = await sandbox.run(given, AbortSignal.any([signal, late]))
    const stdout = Buffer.from(output).subarray(0, most).toString()
    if (error === null) return { success: true, stdout, stderr: '', return_value: value }
    const { type, message, line, traceback } = error
    const told = `${type}: ${message}${adviseOnNames(message, input)}`
    return { ...failure(told, type, line), stdout, stderr: traceback }
  } catch (error) {
    signal.throwIfAborted()
    if (!late.aborted) throw error
    const told = `The code was stopped after ${timeout} s.`
    return { ...failure(told, 'TimeLimitExceeded', null), stdout: '', stderr: '' }
  }
}

/** Names available in nodes' code, but in this action only if passed as input. */
const nodeNames = ['state', 'variables', 'data', 'parallel_results']

/** Advice about an undefined name, based on the error messages of the four languages. */
function adviseOnNames(message: string, input: JsonObject): string {
  const [, name = ''] =
    /^(?:name )?'(\w+)' is not defined|\(global '(\w+)'\)|^Unknown procedure: (\w+)/
      .exec(message)
      ?.filter((part) => part !== undefined) ?? []
  if (!nodeNames.includes(name) || Object.hasOwn(input, name)) return ''
  return `. code.execute only sees the variables in its input: input: {${name}: "{{ ${name} }}"}`
}

function failure(error: string, errorType: string, line: number | null): JsonObject {
  return { ...failedResult(error, errorType), line, return_value: null }
}

/** Code that sets `result` at its top level returns it, as in files of the format. */
function withResult(code: string): string {
  return /^result\s*(?::[^=\n]+)?=(?!=)/m.test(code) && !/^return\b/m.test(code)
    ? `${code}\nresult`
    : code
}
