import { resolve } from 'node:path'
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { cutText } from '../kernel/text/cut-text.ts'
import { findHidden, showHidden } from '../kernel/text/visible-text.ts'
import { fenced, textContent } from './text-content.ts'

const maxTitleCharacters = 200
const maxRawCharacters = 20_000

const kinds: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  read_file: 'read',
  list: 'read',
  list_dir: 'read',
  ls: 'read',
  skill: 'read',
  glob: 'search',
  grep: 'search',
  research: 'search',
  write: 'edit',
  write_file: 'edit',
  create_file: 'edit',
  edit: 'edit',
  edit_file: 'edit',
  update_file: 'edit',
  bash: 'execute',
  shell: 'execute',
  run_command: 'execute',
  job_output: 'execute',
  job_stop: 'execute',
  fetch: 'fetch',
  web_fetch: 'fetch',
}

/** The kind of a tool, which determines its icon. */
export function toolKind(name: string): ToolKind {
  return Object.hasOwn(kinds, name) ? (kinds[name] as ToolKind) : 'other'
}

/** The most telling arguments, in order of preference. */
const mainNames = [
  'command',
  'cmd',
  'pattern',
  'path',
  'file_path',
  'filepath',
  'url',
  'question',
  'query',
  'name',
]

/** A call in a few words: `read src/a.ts`, `npm test`. */
export function toolTitle(name: string, input: Json): string {
  const given = asObject(input)
  const main = mainNames.map((key) => given[key]).find((value) => typeof value === 'string')
  const words = typeof input === 'string' ? input : ((main as string | undefined) ?? '')
  const shown = shortTitle(words)
  const title = toolKind(name) === 'execute' && shown !== '' ? `\`${shown}\`` : `${name} ${shown}`
  return title.trim()
}

/** A title on one line, with hidden characters visible; a long one is cut. */
export function shortTitle(text: string): string {
  return cutText(showHidden(text).replaceAll(/\s+/g, ' ').trim(), maxTitleCharacters)
}

/** The files that a call names. */
export function toolLocations(input: Json, workspace: string): ToolCallLocation[] {
  const { path, file_path, filepath, offset } = asObject(input)
  const named = [path, file_path, filepath].find((value) => typeof value === 'string')
  if (typeof named !== 'string') return []
  const line = typeof offset === 'number' && offset >= 1 ? { line: Math.floor(offset) } : {}
  return [{ path: resolve(workspace, named), ...line }]
}

/** The arguments as given, unless they are long or contain what an editor would not show. */
export function rawInput(input: Json): { rawInput?: unknown } {
  const isLong = JSON.stringify(input).length > maxRawCharacters
  return isLong || holdsHidden(input) ? {} : { rawInput: input }
}

function holdsHidden(value: Json | undefined): boolean {
  if (typeof value === 'string') return findHidden(value) !== undefined
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, one]) => holdsHidden(key) || holdsHidden(one))
}

/** The result of a call, as text. @param shown what the model reads of it, if that differs from the output */
export function resultContent(output: Json, isError: boolean, shown?: string): ToolCallContent[] {
  if (isError) return [textContent(toInertMarkdown(errorText(output)))]
  const text = shown ?? (typeof output === 'string' ? output : JSON.stringify(output, undefined, 2))
  // Line names are for the model.
  const plain = text.replaceAll(/^\d+:[0-9a-f]{4}\|/gm, '')
  return plain.trim() === '' ? [] : [textContent(fenced(plain))]
}

/** The text of an error result. */
export function errorText(output: Json): string {
  if (typeof output === 'string') return output
  const { error, message, hint } = asObject(output)
  const text = [error, message].find((part) => typeof part === 'string')
  if (typeof text !== 'string') return JSON.stringify(output)
  return typeof hint === 'string' ? `${text} ${hint}` : text
}

/** Whether a command failed. */
export function isFailedCommand(output: Json): boolean {
  const { exitCode } = asObject(output)
  return exitCode !== undefined && exitCode !== 0
}

/** A value as an object; empty for other values. */
export function asObject(value: Json | undefined): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as JsonObject) : {}
}
