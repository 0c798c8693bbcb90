import { lstat, realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { realPlace } from '../../../files/real-place.ts'
import { toFailure } from '../../../kernel/errors.ts'
import { createCodeWorkspace } from './code-workspace.ts'
import { withRegularFile } from './file-bytes.ts'

/** A text that a folder brings along, or why it is not used, in words that follow its name. */
export type ShippedText =
  | {
      readonly ok: true
      readonly text: string
      /** Whether its end is left out. */
      readonly isCut: boolean
    }
  | { readonly ok: false; readonly why: string }

/**
 * A text that a folder brings along for models: a regular file in UTF-8 that really lies in the folder. A link in it may lead to no
 * file of secrets and into nothing closed; `undefined` where there is nothing of that name.
 * @param path from the folder on @param maxBytes what is read of it
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
          ? { ok: false, why: 'is no text in UTF-8' }
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
