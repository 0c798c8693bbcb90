import { lstat, realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { realPlace } from '../../../files/real-place.ts'
import { toFailure } from '../../../kernel/errors.ts'
import { createCodeWorkspace } from './code-workspace.ts'
import { withRegularFile } from './file-bytes.ts'

/** A text supplied by a folder, or why it is not used, in words that follow its name. */
export type ShippedText =
  | {
      readonly ok: true
      readonly text: string
      /** Whether its end is omitted. */
      readonly isCut: boolean
    }
  | { readonly ok: false; readonly why: string }

/**
 * Reads a text that a folder supplies for models: a regular UTF-8 file that really is in the folder. A link must not
 * lead to secrets or into closed folders. `undefined` if there is no file of that name.
 * @param path relative to the folder
 * @param maxBytes maximum number of bytes to read
 */
export async function readShippedText(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<ShippedText | undefined> {
  const root = await realpath(folder)
  const written = resolve(root, path)
  if ((await lstat(written).catch(() => undefined)) === undefined) return undefined
  const place = await realPlace(root, written)
  if (!place.ok) return { ok: false, why: 'leads out of the folder' }
  const relativePath = place.names.join('/')
  const isLinked = relative(root, written).split(sep).join('/') !== relativePath
  const { isClosed, isSecret } = createCodeWorkspace({ workspace: root })
  if (isLinked && (isClosed(relativePath) || isSecret(relativePath)))
    return { ok: false, why: 'is a link to what is closed or may hold secrets' }
  try {
    return await withRegularFile(
      { path: place.path, relativePath: path, isSecret: false },
      async (file) => {
        const bytes = await file.read(maxBytes + 1)
        const isCut = bytes.length > maxBytes
        const text = decodeUtf8(bytes.subarray(0, maxBytes), isCut)
        return text === undefined
          ? { ok: false, why: 'is not UTF-8 text' }
          : { ok: true, text, isCut }
      },
    )
  } catch (error) {
    return { ok: false, why: `cannot be read: ${toFailure(error).message}` }
  }
}

function decodeUtf8(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}
