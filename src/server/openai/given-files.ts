import { receiveUpload } from '../library-change-routes.ts'
import type { RunSite } from '../run-site.ts'
import type { Principal } from '../tokens.ts'
import { OpenAiRequestError } from './openai-error.ts'
import type { GivenMessage } from './openai-schemas.ts'

/** A file in a message. */
export interface GivenFile {
  readonly name: string
  /** Base64. */
  readonly data: string
}

/** Files in a conversation at most. */
const maxFiles = 20

const base64 = /^(?:data:[^,]{0,200};base64,)?([\w+/\s-]+={0,2}\s*)$/

/** The files in the messages of a user, each once. @throws {@link OpenAiRequestError} for files that are not sent along */
export function readFiles(messages: readonly GivenMessage[]): readonly GivenFile[] {
  const files = new Map<string, GivenFile>()
  for (const { role, content } of messages) {
    if (role !== 'user' || typeof content !== 'object') continue
    for (const part of content ?? []) {
      if (!isFile(part)) continue
      const { filename, file_data: given } = part.file ?? part
      if (given == null) throw refused('Send a file as base64 in file_data: nothing is fetched.')
      const [, data] = base64.exec(given) ?? []
      if (data === undefined) throw refused('The file_data of a file is not base64.')
      files.set(data, { name: filename || 'file', data })
    }
  }
  if (files.size <= maxFiles) return [...files.values()]
  throw refused(`There are more than ${maxFiles} files in the conversation.`)
}

/** Whether a part of a message is a file. */
export function isFile({ type }: { readonly type: string }): boolean {
  return type === 'input_file' || type === 'file'
}

/**
 * Keeps files as uploads of whoever sends them; the folders in which they are.
 * @throws {@link OpenAiRequestError} for a file that no reader can read, and as uploads
 */
export async function keepFiles(
  site: RunSite,
  files: readonly GivenFile[],
  principal: Principal,
): Promise<readonly string[]> {
  const folders: string[] = []
  for (const { name, data } of files) {
    const bytes = Buffer.from(data, 'base64')
    const { folder, added } = await receiveUpload(site, principal, {
      name,
      sizeBytes: bytes.length,
      body: new Blob([bytes]).stream(),
      signal: new AbortController().signal,
    })
    const unread = added.find(({ outcome }) => outcome === 'refused')
    if (unread !== undefined && !added.some((one) => 'sourceId' in one))
      throw refused(`A file cannot be read: ${'detail' in unread ? unread.detail : name}`)
    folders.push(folder)
  }
  return folders
}

function refused(message: string): OpenAiRequestError {
  return new OpenAiRequestError('unsupported_value', 'input', message)
}
