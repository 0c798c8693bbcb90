import type { Question, Right } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import { askPerson } from '../commands/ask/ask-person.ts'
import { visibleOnOneLine } from '../render/text.ts'
import type { Terminal } from '../terminal.ts'

/** A question whether a run may have again what it was begun with. */
export interface GrantQuestion {
  readonly kind: 'grants'
  readonly text: string
}

/** Asks the person what a run asks, and about grants. */
export type Asking = (question: Question | GrantQuestion, key: string) => Promise<Json | undefined>

/**
 * Does `work` with what is granted; where the run was begun with more, the person at the terminal is asked whether it may have that
 * again.
 * @throws `invalid_input` where nobody says so
 */
export async function askingForGrants<T>(
  grants: readonly Right[],
  ask: Asking | undefined,
  work: (grants: readonly Right[]) => Promise<T>,
): Promise<T> {
  try {
    return await work(grants)
  } catch (error) {
    const missing = error instanceof ScholiumError ? error.details.notGranted : undefined
    if (missing === undefined) throw error
    const question: GrantQuestion = { kind: 'grants', text: (error as ScholiumError).message }
    if ((await ask?.(question, '')) !== 'yes') throw error
    return work([...grants, ...(missing as readonly Right[])])
  }
}

/** The person's answer, `yes` or `no`; `undefined` where the input ends without one. @throws `cancelled` */
export async function askAboutGrants(
  terminal: Terminal,
  { text }: GrantQuestion,
  interrupt: AbortController,
): Promise<Json | undefined> {
  terminal.tell(visibleOnOneLine(text))
  return askPerson(terminal, interrupt, async (ask) => {
    for (;;) {
      const said = (await ask('Grant this again? (y)es, (n)o: ')).trim()
      if (/^(?:y|yes)$/i.test(said)) return 'yes'
      if (/^(?:n|no)$/i.test(said)) return 'no'
    }
  })
}
