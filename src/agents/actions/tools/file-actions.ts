import { basename } from 'node:path'
import * as z from 'zod'
import { replaceFile } from '../../../files/replace-file.ts'
import type { Json } from '../../../kernel/json.ts'
import { type ToolAction, unusedParam } from '../action.ts'
import { needed, notDone, type ToolActionServices, toolAction } from './tool-action.ts'
import { fileBytes, fileFailure, fileText, isText, workspacePlace } from './workspace-text.ts'

const maxWriteBytes = 10_000_000

const path = z
  .string()
  .min(1)
  .describe(
    'The file, from the workspace on: data/input.txt. What leads out of the workspace is refused.',
  )

const encoding = z
  .enum(['utf-8', 'base64'])
  .default('utf-8')
  .describe('utf-8 for text; base64 for bytes that are none.')

/** Reads and writes files of the workspace. */
export function fileActions(services: ToolActionServices): readonly ToolAction[] {
  return [readAction(services), writeAction(services)]
}

function readAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'file.read',
    description: 'Reads a file of the workspace: text, or bytes in base64. At most 5 MB.',
    input: z.strictObject({
      path,
      encoding,
      cache: unusedParam('files of the workspace need none'),
    }),
    effect: 'read',
    untrusted: 'results',
    result:
      '{content, path, size_bytes, success}, or {error, success: false, error_type}. What is in a file counts as text from elsewhere, since a node may have written there what it had read: a model that reads files changes something only by an allow rule, as --allow file.write',
    async execute({ path, encoding }): Promise<Json> {
      if (encoding === 'base64') {
        const bytes = await fileBytes(services, path)
        if (!(bytes instanceof Uint8Array)) return bytes
        const content = Buffer.from(bytes).toString('base64')
        return { content, path, size_bytes: bytes.length, success: true }
      }
      const read = await fileText(services, path)
      if (!isText(read)) return read
      return { content: read.text, path, size_bytes: read.sizeBytes, success: true }
    },
  })
}

function writeAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'file.write',
    description:
      'Writes a file of the workspace, whole or not at all, in place of one that is there. Makes the folders that are missing. At most 10 MB.',
    input: z.strictObject({
      path,
      content: z.json().describe('The text. A list or a map is written as JSON.'),
      encoding,
    }),
    effect: 'write',
    result: '{path, size_bytes, success}, or {error, success: false, error_type}',
    async execute({ path, content, encoding }, { key }): Promise<Json> {
      const bytes = bytesOf(content, encoding)
      if (bytes === undefined) return notDone('The content is not base64.', 'invalid_content')
      if (bytes.length > maxWriteBytes)
        return notDone(
          `The content has ${bytes.length} bytes; at most ${maxWriteBytes} are written.`,
          'too_large',
        )
      const place = await workspacePlace(needed(services, 'workspace'), path)
      if (!place.ok) return notDone(place.error, place.errorType)
      const name = basename(place.path)
      if (takenByPrograms.test(name))
        return notDone(`${name} is not written: programs take settings from it.`, 'protected')
      try {
        await replaceFile({ path: place.path, bytes, key })
      } catch (error) {
        return fileFailure(error, path)
      }
      return { path, size_bytes: bytes.length, success: true }
    },
  })
}

/** What Scholium reads its settings from, and what makes a folder one of Git, which then runs what its settings name. */
const takenByPrograms = /^(?:scholium\.(?:ya?ml|json)|head)$/i

function bytesOf(content: Json, encoding: 'utf-8' | 'base64'): Uint8Array | undefined {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  const isBase64 = /^[A-Za-z\d+/\s]*={0,2}\s*$/.test(text)
  return isBase64 ? Buffer.from(text, 'base64') : undefined
}
