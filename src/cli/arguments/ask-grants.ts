import type { Question, Right } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import { askPerson } from '../commands/ask/ask-person.ts'
import { visibleOnOneLine } from '../render/text.ts'
import type { Terminal } from '../terminal.ts'

/** Asks whether a run may have again what it was started with. */
export interface GrantQuestion {
  readonly kind: 'grants'
  readonly text: string
}

/** Asks the person a run's questions, and about grants. */
export type Asking = (question: Question | GrantQuestion, key: string) => Promise<Json | undefined>

/**
 * Runs `work` with the granted rights. If the run was started with more, the person at the terminal is asked to grant
 * them again.
 * @throws `invalid_input` if nobody grants them
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

/** The person's answer, `yes` or `no`; `undefined` if the input ends first. @throws `cancelled` */
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
