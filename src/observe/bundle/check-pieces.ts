import { ScholiumError } from '../../kernel/errors.ts'
import { holdsSecret } from '../../kernel/run/secrets.ts'
import { maxTextBytes } from './limits.ts'

/** A value that must not leave the machine, with its name. */
export interface NamedSecret {
  /** The variable or setting that holds it. */
  readonly name: string
  readonly value: string
}

/**
 * Passes the pieces of a member through unchanged, after searching each for secrets in every known encoding.
 * @throws `invalid_input` for a piece that contains a secret, naming both but never the value, and for a piece over
 * `maxTextBytes`
 */
export async function* checkedPieces(
  member: string,
  pieces: Iterable<string> | AsyncIterable<string>,
  secrets: readonly NamedSecret[],
): AsyncGenerator<string> {
  const known = secrets.map(({ name, value }) => ({ name, values: [value] }))
  for await (const piece of pieces) {
    if (piece.length > maxTextBytes / 3 && Buffer.byteLength(piece) > maxTextBytes)
      throw tooLarge(member)
    for (const { name, values } of known) if (holdsSecret(piece, values)) throw found(member, name)
    yield piece
  }
}

function tooLarge(member: string): ScholiumError {
  const most = maxTextBytes / 1024 / 1024
  return new ScholiumError('invalid_input', `A text of ${member} has more than ${most} MiB.`, {
    hint: 'Export without the texts of its sources: --without-text',
    details: { member },
  })
}

function found(member: string, name: string): ScholiumError {
  return new ScholiumError(
    'invalid_input',
    `The value of ${name} occurs in ${member}, so nothing was exported.`,
    {
      hint: 'Secrets in sources, questions or answers are not redacted: remove it there and ask again. Change a key that others may have seen.',
      details: { member, name },
    },
  )
}
