import { readWhole } from '../../files/opened.ts'
import { ScholiumError } from '../../kernel/errors.ts'

/** In bytes. */
const largestKey = 100_000

/** The text of the file of a key. @throws `invalid_input` with `text` and `hint` for one that cannot be read */
export async function readKeyFile(path: string, text: string, hint: string): Promise<string> {
  try {
    return (await readWhole(path, largestKey)).toString('utf8')
  } catch (cause) {
    throw new ScholiumError('invalid_input', text, { hint, cause })
  }
}
