import type { Terminal } from '../terminal.ts'
import { readBounded } from './read-question.ts'

/** What is piped into the command; nothing where a person types. @throws `invalid_input` for too much */
export async function readPiped({ host }: Terminal): Promise<string> {
  const { stdin } = host
  if (stdin.isTTY === true) return ''
  const bytes = await readBounded(stdin, 'The piped input')
  return new TextDecoder().decode(bytes).trim()
}
