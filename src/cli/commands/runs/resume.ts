import type { ExecutionOptions } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { LiveEvent, RunEvent } from '../../../kernel/run/event.ts'
import { type OpenApp, type RunResult, withApp } from '../../arguments/app-settings.ts'
import { askingForGrants } from '../../arguments/ask-grants.ts'
import { grantOptions, readGrants } from '../../arguments/grant-options.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import type { GivenOptions } from '../../arguments/option.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'
import { executeRun } from '../../execute-run.ts'
import { topNode } from '../../render/run-view.ts'

/** `scholium resume`. */
export const runResume: RunCommand = async (invocation) => {
  const { words, options } = invocation
  const [run = ''] = words
  const { readAskDefaults } = await import('../../../app.ts')
  let reply = options.text('answer')
  // An answer is for one question: if the run then asks another, it waits again.
  const answerOr =
    (ask: ExecutionOptions['answer']): ExecutionOptions['answer'] =>
    async (prompt, key) => {
      const given = reply
      reply = undefined
      return given ?? ask?.(prompt, key)
    }
  return withApp(
    invocation,
    async (app, configuration) => {
      const grants = readGrants(options, readAskDefaults(configuration).web)
      const { runId, workflow } = await app.showRun(run)
      const history = await readHistory(app, runId)
      let note = ''
      const exitCode = await executeRun({
        invocation,
        runId,
        history,
        workflow,
        drive: async (execution) => {
          try {
            let isDriven = false
            const onEvent = (event: LiveEvent) => {
              isDriven = true
              execution.onEvent?.(event)
            }
            const given = await askingForGrants(grants, execution.answer, (granted) =>
              app.resume(runId, {
                ...execution,
                ...(options.has('finish') ? { finish: AbortSignal.abort() } : {}),
                onEvent,
                grants: granted,
                answer: answerOr(execution.answer) as NonNullable<ExecutionOptions['answer']>,
              }),
            )
            if (!isDriven) note = nothingDone(given, options)
            return given
          } catch (error) {
            throw isOtherModel(error, options) ? keepsItsModels(runId, history, options) : error
          }
        },
      })
      if (note !== '') invocation.terminal.tell(invocation.terminal.asTyped(note))
      return exitCode
    },
    options.has('model') ? 'new' : 'recorded',
  )
}

/** The message for a run that has ended: nothing was done, which options had no effect, and which commands would. */
function nothingDone(result: RunResult, options: GivenOptions): string {
  const { runId } = result
  const idle = idleOptions.filter((name) => options.has(name)).map((name) => `--${name}`)
  if (idle.length === 0 && options.has('quiet')) return ''
  const without = idle.length === 0 ? '' : `, and ${idle.join(', ')} had no effect`
  if ('stopReason' in result && result.stopReason === 'limit')
    return `Run ${runId} was stopped by a limit that has not been raised: nothing was done${without}.`
  const models = options.texts('model').map((name) => ` --model ${name}`)
  return `Run ${runId} has already ended: nothing was done${without}. To continue differently, fork it: scholium fork ${runId}${models.join('')}`
}

const idleOptions = [
  ...[...drivingOptions, ...grantOptions].map(({ name }) => name),
  'answer',
  'finish',
]

function isOtherModel(error: unknown, options: GivenOptions): boolean {
  const isIncompatible = error instanceof ScholiumError && error.code === 'run_incompatible'
  return isIncompatible && options.has('model') && error.message.includes('configuration')
}

/** A run keeps its configuration; a fork may have another. */
function keepsItsModels(
  runId: string,
  history: readonly RunEvent[],
  options: GivenOptions,
): ScholiumError {
  const models = options.texts('model').map((name) => ` --model ${name}`)
  const place = stoppedAt(history)
  const at = place === '' ? '' : ` --at '${place}'`
  return new ScholiumError(
    'invalid_input',
    `Run ${runId} can only be resumed with its own models.`,
    {
      hint: `Omit --model, or continue with another model in a fork, which repeats none of the earlier steps: scholium fork ${runId}${at}${models.join('')}`,
    },
  )
}

/** The last node that failed, else the one after the last completed node; empty at the beginning. */
function stoppedAt(history: readonly RunEvent[]): string {
  const ends = history.findLastIndex(({ type, key }) => type === 'node.done' && topNode(key) !== '')
  const failed = history.findLast(({ type }) => type === 'step.failed')
  const begun = history.slice(ends + 1).find(({ key }) => key.includes('/'))
  return (failed ?? begun)?.key.split('/')[1] ?? ''
}

/** The events that progress starts from: the question and the nodes' outputs are enough; a long log holds much more. */
async function readHistory(app: OpenApp, runId: string): Promise<readonly RunEvent[]> {
  const outputs = new Map<number, RunEvent>()
  for await (const event of app.events(runId, { types: ['run.started', 'node.done'] }))
    outputs.set(event.seq, event)
  const history: RunEvent[] = []
  for await (const event of app.events(runId, { withOutput: false }))
    history.push(outputs.get(event.seq) ?? event)
  return history
}
