import { createInterface } from 'node:readline/promises'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { Json } from '../../../kernel/json.ts'
import type { Terminal } from '../../terminal.ts'

/**
 * Asks the person at the terminal line by line; returns what `work` makes of the answers, or `undefined` if the input
 * ends. Anything typed before the question is dropped: it was meant for something else.
 * @param interrupt aborts the question, and is called on Ctrl-C, which a terminal in line mode does not forward
 * @throws `cancelled`
 */
export async function askPerson(
  terminal: Terminal,
  interrupt: AbortController,
  work: (ask: (text: string) => Promise<string>) => Promise<Json>,
): Promise<Json | undefined> {
  const { stdin, stderr } = terminal.host
  await dropTyped(stdin, interrupt)
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

/** Nobody has read a question within this time. */
const unreadMs = 300

/** Drops what was typed so far, even an unfinished line: for this, the terminal is read in raw mode. */
async function dropTyped(stdin: NodeJS.ReadStream, interrupt: AbortController): Promise<void> {
  if (stdin.isTTY !== true) return
  const drop = (typed: Buffer | string) => {
    if (String(typed).includes('\u0003')) interrupt.abort()
  }
  stdin.setRawMode(true)
  stdin.on('data', drop)
  stdin.resume()
  await setTimeout(unreadMs)
  // Reads the terminal at least once more, however slow the machine is.
  await setImmediate()
  stdin.off('data', drop)
  stdin.pause()
  stdin.setRawMode(false)
}
