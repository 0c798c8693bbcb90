import type { Json, JsonObject } from '../../../kernel/json.ts'
import { oneLine, visibleOnOneLine, wrap } from '../../render/text.ts'
import type { Terminal } from '../../terminal.ts'
import { askPerson } from '../ask/ask-person.ts'

/** A place where an agent file waits for a person. */
export interface AskedInterrupt {
  readonly kind: 'interrupt'
  readonly when: 'before' | 'after'
  readonly node: string
  readonly state: JsonObject
  /** Why the last answer was invalid. */
  readonly problem?: string
}

/**
 * Tells where the run waits and how to continue it, when nobody can be asked.
 * @param command the command that resumes the run
 */
export function tellWaitingInterrupt(
  terminal: Terminal,
  prompt: AskedInterrupt,
  command: string,
): void {
  tellState(terminal, prompt)
  const [approve = '', stop = '', change = ''] = interruptWays(prompt, command)
  const lines = [
    `The run is waiting ${prompt.when} ${visibleOnOneLine(prompt.node)}. To continue:`,
    `  ${approve}`,
    `  ${stop}`,
    `  ${change}   (with changes to the state)`,
  ]
  for (const line of lines) terminal.tell(terminal.asTyped(line))
}

/** The commands that continue a waiting run: as it is, by rejecting, or with a changed state. */
export function interruptWays({ state }: AskedInterrupt, command: string): readonly string[] {
  // The name is pasted into a shell, so it must have no special meaning there.
  const key = Object.keys(state).find((name) => /^\w+$/.test(name)) ?? 'key'
  const resume = `${command} --answer`
  return [`${resume} approve`, `${resume} stop`, `${resume} '${JSON.stringify({ [key]: '…' })}'`]
}

const mostKeys = 20
const maxValueCharacters = 4_000

function tellState(terminal: Terminal, { problem, state }: AskedInterrupt): void {
  const { columns = 100 } = terminal.stderr
  if (problem !== undefined) terminal.tell(`Invalid answer: ${oneLine(problem)}`)
  const keys = Object.entries(state)
  for (const [key, value] of keys.slice(0, mostKeys)) {
    const text = visibleOnOneLine(typeof value === 'string' ? value : JSON.stringify(value))
    const left = text.length - maxValueCharacters
    const shown =
      left > 0
        ? `${text.slice(0, maxValueCharacters).toWellFormed()} … (${left} more characters)`
        : text
    for (const line of wrap(`  ${visibleOnOneLine(key)}: ${shown}`, columns, '    '))
      terminal.tell(line)
  }
  if (keys.length > mostKeys) terminal.tell(`  … and ${keys.length - mostKeys} more keys`)
}

/**
 * Asks the person at the terminal whether to continue the run; `undefined` if the input ends without an answer.
 * @param interrupt aborts the question, and is called on Ctrl-C
 * @throws `cancelled`
 */
export async function askAtInterrupt(
  terminal: Terminal,
  prompt: AskedInterrupt,
  interrupt: AbortController,
): Promise<Json | undefined> {
  tellState(terminal, prompt)
  const text = `Paused ${prompt.when} ${visibleOnOneLine(prompt.node)}. Continue? (y)es, (n)o, or {"key": value} to change the state: `
  return askPerson(terminal, interrupt, async (ask) => {
    for (;;) {
      const said = (await ask(text)).trim()
      if (said !== '') return said
    }
  })
}
