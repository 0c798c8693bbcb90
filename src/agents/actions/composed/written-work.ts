import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { codeLanguage } from '../../document/code-language.ts'
import type { ActionCall } from '../action.ts'
import { isObject } from './values.ts'
import { readWritten, writtenAction } from './written-action.ts'

/** Work that a parameter gives: an action, code, or a node of the file by its name. */
export const writtenWork = z.union([
  z.string().min(1),
  writtenAction.extend({
    run: z.string().optional(),
    language: z.string().optional(),
    node: z.string().optional(),
  }),
])

/** Does such work, once for each context. @throws what the work throws */
export async function doWritten(
  call: ActionCall,
  work: z.output<typeof writtenWork>,
  context: RunContext,
  names: JsonObject,
): Promise<Json> {
  if (typeof work === 'string') return (await call.performNode(work, context, names)).result
  const { run: code, language, node, ...written } = work
  if (node !== undefined) return (await call.performNode(node, context, names)).result
  if (code !== undefined) {
    const given = { code, language: codeLanguage(code, language) }
    return resultOf(await call.runCode(given, context, names))
  }
  const { name = '', params } = readWritten(written as z.output<typeof writtenAction>)
  return call.performWritten(name, params, context, names)
}

/** Whether a parameter says what is to be done. */
export function saysWork(work: z.output<typeof writtenWork>): boolean {
  if (typeof work === 'string') return true
  const { action, uses, run, node } = work
  return [action, uses, run, node].some((one) => one !== undefined)
}

/** Said where it does not. */
export const noWork = 'give it an action, code to run, or the name of a node'

/** What code gives: what it called `result`, where it has such a variable among others. */
function resultOf(value: Json): Json {
  return isObject(value) && value.result !== undefined ? value.result : value
}
