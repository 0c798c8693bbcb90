import { createInterface } from 'node:readline/promises'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { Json } from '../../../kernel/json.ts'
import type { Terminal } from '../../terminal.ts'

/**
 * Asks the person at the terminal line by line: what `work` makes of what is said, or `undefined` where the input ends. What was
 * typed before it asks is dropped: it was meant for something else.
 * @param interrupt ends the asking, and is told of Ctrl-C, which a terminal that is read by line keeps to itself
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

/** Within this time nobody has read a question. */
const unreadMs = 300

/** Takes what was typed so far out of the terminal, also a line that was only begun: it is read without lines for that. */
async function dropTyped(stdin: NodeJS.ReadStream, interrupt: AbortController): Promise<void> {
  if (stdin.isTTY !== true) return
  const drop = (typed: Buffer | string) => {
    if (String(typed).includes('\u0003')) interrupt.abort()
  }
  stdin.setRawMode(true)
  stdin.on('data', drop)
  stdin.resume()
  await setTimeout(unreadMs)
  // However slow the machine: the terminal was looked at once more.
  await setImmediate()
  stdin.off('data', drop)
  stdin.pause()
  stdin.setRawMode(false)
}
