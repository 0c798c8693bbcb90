import type { EventOf, RunEvent } from '../run/event.ts'
import type { RunContext } from '../run/run-context.ts'
import type { ModelBinding } from './model.ts'

/** Records that a truncated answer (cut off at its maximum length) is used. Once for each name in a context. */
export function noticeCutAnswer(
  context: RunContext,
  name: string,
  { name: modelName }: Pick<ModelBinding, 'name'>,
): Promise<void> {
  const text = `${modelName} was cut off at its maximum length; the truncated output is used.`
  return context.notice(`${name}.cut`, 'warning', text)
}

/** Whether an event is a notice of {@link noticeCutAnswer}. */
export function isCutAnswer<E extends Pick<RunEvent, 'type' | 'key'>>(
  event: E,
): event is E & { readonly type: 'notice' } {
  return event.type === 'notice' && event.key.endsWith('.cut')
}

/** The notices about truncated answers that were used, in the order of their keys. */
export function readCutAnswers({ services }: RunContext): readonly string[] {
  const notices = services.journal.boundariesWhere(isCutAnswer)
  return formatCutAnswers(notices)
}

/** The texts of these notices, in the same order. */
export function formatCutAnswers(
  notices: readonly Pick<EventOf<'notice'>, 'key' | 'data'>[],
): readonly string[] {
  return notices
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ data }) => `${data.component}: ${data.text}`)
}
