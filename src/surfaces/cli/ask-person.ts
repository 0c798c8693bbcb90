import { createInterface } from 'node:readline/promises'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { Terminal } from './terminal.ts'

/**
 * Asks the person at the terminal line by line: what `work` makes of what is said, or `undefined` where the input ends.
 * @param interrupt ends the asking, and is told of Ctrl-C, which a terminal that is read by line keeps to itself
 * @throws `cancelled`
 */
export async function askPerson(
  terminal: Terminal,
  interrupt: AbortController,
  work: (ask: (text: string) => Promise<string>) => Promise<Json>,
): Promise<Json | undefined> {
  const { stdin, stderr } = terminal.host
  const lines = createInterface({ input: stdin, output: stderr })
  const ended = new AbortController()
  lines.on('SIGINT', () => interrupt.abort())
  lines.on('close', () => ended.abort())
  const signal = AbortSignal.any([interrupt.signal, ended.signal])
  try {
    return await work((text) => lines.question(text, { signal }))
  } catch (error) {
    if (interrupt.signal.aborted)
      throw new ScholiumError('cancelled', 'The run was interrupted.', { cause: error })
    if ((error as Error).name === 'AbortError') return undefined
    throw error
  } finally {
    lines.close()
    if (interrupt.signal.aborted) stderr.write('\n')
  }
}
