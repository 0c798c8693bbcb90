import type { AgentCheck } from '../../../app.ts'
import { type Failure, ScholiumError, toFailure } from '../../../kernel/errors.ts'
import { type OpenApp, withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { oneLine } from '../../render/text.ts'

/** `scholium validate`. */
export const runValidate: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { words, options } = invocation
    const overlays = options.texts('overlay')
    const checks: Check[] = []
    for (const file of words) {
      try {
        checks.push(await app.validateAgent(file, { isStrict: options.has('strict'), overlays }))
      } catch (error) {
        // If there are several files, the others are still checked.
        if (words.length === 1 || !(error instanceof ScholiumError)) throw error
        checks.push({ file, isValid: false, problems: [], error: toFailure(error) })
      }
    }
    const isValid = checks.every((check) => check.isValid)
    printResult(invocation, { schema: 'scholium.validate/1', isValid, files: checks }, () =>
      checks.flatMap((check) => formatLines(check, invocation)).join('\n'),
    )
    return isValid ? 0 : 2
  })

/** The check of a file, or why it could not be checked. */
type Check = AgentCheck & { readonly error?: Failure }

type Problem = Awaited<ReturnType<OpenApp['validateAgent']>>['problems'][number]

function formatLines(
  { file, problems, error }: Check,
  { terminal }: Invocation,
): readonly string[] {
  const { paint } = terminal.stdout
  if (error !== undefined) {
    const advice = error.hint === undefined ? [] : [`    ${terminal.asTyped(oneLine(error.hint))}`]
    return [`${paint.red('error')} ${oneLine(error.message)}`, ...advice]
  }
  const lines = problems.flatMap((problem) => {
    const { severity, code, message, hint } = problem
    const colour = severity === 'error' ? paint.red : paint.yellow
    const head = `${formatPlace(problem)} ${colour(severity)} ${code} ${oneLine(message)}`
    return hint === undefined ? [head] : [head, `    ${terminal.asTyped(oneLine(hint))}`]
  })
  return [...lines, `${oneLine(file)}: ${formatVerdict(problems, paint)}`]
}

function formatPlace({ file, line, column }: Problem): string {
  return `${oneLine(file)}:${line}:${column}`
}

function formatVerdict(
  problems: readonly Problem[],
  paint: Invocation['terminal']['stdout']['paint'],
): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const told = [
    ...(errors === 0 ? [] : [count(errors, 'error')]),
    ...(warnings === 0 ? [] : [count(warnings, 'warning')]),
  ].join(', ')
  if (errors > 0) return paint.red(told)
  return `${paint.green('valid')}${told === '' ? '' : `, ${told}`}`
}
