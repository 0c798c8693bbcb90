import type { Json, JsonObject } from '../../../kernel/json.ts'
import { oneLine, visibleOnOneLine, wrap } from '../../render/text.ts'
import type { Terminal } from '../../terminal.ts'
import { askPerson } from '../ask/ask-person.ts'

/** Where an agent file waits for a person. */
export interface AskedInterrupt {
  readonly kind: 'interrupt'
  readonly when: 'before' | 'after'
  readonly node: string
  readonly state: JsonObject
  /** Why the last answer could not be used. */
  readonly problem?: string
}

/**
 * What is told where nobody can be asked: where the run waits, and how to go on.
 * @param command the one that goes on with the run
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

/** The commands that go on with a run that waits: as it is, not at all, with another state. */
export function interruptWays({ state }: AskedInterrupt, command: string): readonly string[] {
  // It is pasted into a shell: no name that means something there.
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
 * Asks the person at the terminal whether the run shall go on: its answer, or `undefined` where it ends the input without one.
 * @param interrupt ends the asking, and is told of Ctrl-C
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
