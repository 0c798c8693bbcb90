import type { CodeAnswer } from '../../app.ts'
import { wordToPaste } from '../../kernel/text/shell-word.ts'
import { withGrants } from '../arguments/grant-options.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { describeStep } from '../progress/describe-step.ts'
import type { AnswerStyle } from '../render/render-answer.ts'
import { asShown, oneLine, printable, visibleOnOneLine } from '../render/text.ts'
import type { WorkflowDisplay } from './workflow-display.ts'

/** The outcome of a session's last request. */
export function renderCode({ answer }: CodeAnswer, style: Pick<AnswerStyle, 'columns'>): string {
  return printable(asShown(answer, style))
}

/** Says what changed, what was refused, and why a session's request has no answer. */
export function tellCodeEnd({ terminal, options }: Invocation, answer: CodeAnswer): void {
  const { paint } = terminal.stderr
  const { refused, failure, filesChanged, runId, stopReason } = answer
  if (failure !== undefined) {
    terminal.tell(`${paint.red('Failed:')} ${oneLine(failure.message)}`)
    if (failure.hint !== undefined)
      terminal.tell(terminal.asTyped(withGrants(options, oneLine(failure.hint))))
  }
  for (const { title, reason } of refused)
    terminal.tell(`${paint.yellow('Not done:')} ${visibleOnOneLine(title)} (${oneLine(reason)})`)
  const rules = [...new Set(refused.flatMap((call) => call.rules))].map((rule) =>
    wordToPaste(rule, process.platform),
  )
  // A rule may contain text from a model or a file; do not offer for pasting what a shell would interpret.
  if (rules.length > 0 && !rules.includes(undefined)) {
    const allows = rules.map((rule) => ` --allow ${rule}`).join('')
    const command = `scholium code --resume ${runId} -p "continue"${allows}`
    terminal.tell(terminal.asTyped(`To allow it: ${withGrants(options, command)}`))
  }
  if (options.has('quiet') || stopReason === 'no_request') return
  if (filesChanged.length > 0) terminal.tell(`Changed: ${filesChanged.map(oneLine).join(', ')}`)
  terminal.tell(`Session ${runId}`)
}

/** How sessions of the coding agent are shown outside their own screen. */
export const codeDisplay: WorkflowDisplay<CodeAnswer> = {
  titleLabel: 'Task',
  describe: describeStep,
  render: renderCode,
  tellEnd: tellCodeEnd,
}
