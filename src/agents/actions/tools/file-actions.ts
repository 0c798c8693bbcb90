import { basename } from 'node:path'
import * as z from 'zod'
import { replaceFile } from '../../../files/replace-file.ts'
import type { Json } from '../../../kernel/json.ts'
import { ignoredParam, type ToolAction } from '../action.ts'
import {
  defineToolAction,
  failedResult,
  requireService,
  type ToolActionServices,
} from './tool-action.ts'
import {
  isText,
  readFileBytes,
  readFileText,
  resolveWorkspacePath,
  toFileFailure,
} from './workspace-text.ts'

const maxWriteBytes = 10_000_000

const path = z
  .string()
  .min(1)
  .describe(
    'The file, relative to the workspace: data/input.txt. Paths outside the workspace are refused.',
  )

const encoding = z
  .enum(['utf-8', 'base64'])
  .default('utf-8')
  .describe('utf-8 for text; base64 for binary data.')

/** Reads and writes files of the workspace. */
export function fileActions(services: ToolActionServices): readonly ToolAction[] {
  return [readAction(services), writeAction(services)]
}

function readAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'file.read',
    description: 'Reads a workspace file as text, or as base64. At most 5 MB.',
    input: z.strictObject({
      path,
      encoding,
      cache: ignoredParam('not needed for workspace files'),
    }),
    effect: 'read',
    untrusted: 'results',
    result:
      '{content, path, size_bytes, success}, or {error, success: false, error_type}. File content counts as untrusted text, since a node may have written untrusted text there: after reading files, a model can make changes only with an allow rule, such as --allow file.write',
    async execute({ path, encoding }): Promise<Json> {
      if (encoding === 'base64') {
        const bytes = await readFileBytes(services, path)
        if (!(bytes instanceof Uint8Array)) return bytes
        const content = Buffer.from(bytes).toString('base64')
        return { content, path, size_bytes: bytes.length, success: true }
      }
      const read = await readFileText(services, path)
      if (!isText(read)) return read
      return { content: read.text, path, size_bytes: read.sizeBytes, success: true }
    },
  })
}

function writeAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'file.write',
    description:
      'Writes a workspace file atomically, replacing an existing one. Creates missing folders. At most 10 MB.',
    input: z.strictObject({
      path,
      content: z.json().describe('The text. A list or a map is written as JSON.'),
      encoding,
    }),
    effect: 'write',
    result: '{path, size_bytes, success}, or {error, success: false, error_type}',
    async execute({ path, content, encoding }, { key }): Promise<Json> {
      const bytes = encodeText(content, encoding)
      if (bytes === undefined) return failedResult('The content is not base64.', 'invalid_content')
      if (bytes.length > maxWriteBytes)
        return failedResult(
          `The content has ${bytes.length} bytes; the maximum is ${maxWriteBytes}.`,
          'too_large',
        )
      const place = await resolveWorkspacePath(requireService(services, 'workspace'), path)
      if (!place.ok) return failedResult(place.error, place.errorType)
      const name = basename(place.path)
      if (programFilePattern.test(name))
        return failedResult(
          `${name} is not written because programs read settings from it.`,
          'protected',
        )
      try {
        await replaceFile({ path: place.path, bytes, key })
      } catch (error) {
        return toFileFailure(error, path)
      }
      return { path, size_bytes: bytes.length, success: true }
    },
  })
}

/** Scholium's configuration files, and the file that makes a folder a Git repository, whose settings name programs. */
const programFilePattern = /^(?:scholium\.(?:ya?ml|json)|head)$/i

function encodeText(content: Json, encoding: 'utf-8' | 'base64'): Uint8Array | undefined {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  const isBase64 = /^[A-Za-z\d+/\s]*={0,2}\s*$/.test(text)
  return isBase64 ? Buffer.from(text, 'base64') : undefined
}
