import { FileRefused, readWhole } from '../../files/opened.ts'

/** How large a configuration file or `.env` may be. */
export const maxConfigBytes = 256 * 1024

/** The text of a file; `undefined` when there is none at that path. */
export type TextOutcome =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }

/** A small text file, or why it cannot be read. A folder or a pipe of that name is no such file: `undefined`, as where there is nothing. */
export async function readSmallText(path: string): Promise<TextOutcome | undefined> {
  const refuse = (message: string): TextOutcome => ({ ok: false, message })
  try {
    const bytes = await readWhole(path, maxConfigBytes)
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    if (error instanceof FileRefused)
      return error.kind === 'too_large'
        ? refuse(`is larger than ${maxConfigBytes / 1024} KB, the maximum for a configuration file`)
        : undefined
    const { code, message, name } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'EACCES' || code === 'EPERM') return refuse('cannot be read: permission denied')
    return refuse(name === 'TypeError' ? 'is not UTF-8 text' : `cannot be read: ${message}`)
  }
}
