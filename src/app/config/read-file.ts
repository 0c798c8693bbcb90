import { dirname } from 'node:path'
import { FileRefused, readWhole } from '../../files/opened.ts'
import type { FoundFile } from './find-files.ts'
import { flatten } from './flatten.ts'
import type { Problem, Settings } from './origin.ts'
import { parseYaml } from './parse-yaml.ts'

/** The settings of a file, or its mistakes. A file with a mistake sets nothing. */
export interface FileOutcome {
  readonly settings: Settings
  readonly problems: readonly Problem[]
}

/** Reads a configuration file. */
export async function readConfigFile({ path, kind }: FoundFile): Promise<FileOutcome> {
  const broken = (...problems: readonly Problem[]): FileOutcome => ({
    settings: new Map(),
    problems,
  })
  const read = await readSmallText(path)
  if (read === undefined) return broken({ place: path, message: 'there is no such file' })
  if (!read.ok) return broken({ place: path, message: read.message })
  const parsed = await parseYaml(read.text)
  const at = ({ line, column }: { line: number; column: number }) => `${path}:${line}:${column}`
  if (parsed.errors.length > 0)
    return broken(...parsed.errors.map(({ place, message }) => ({ place: at(place), message })))
  const { checkConfig } = await import('./check-file.ts')
  const checked = checkConfig(parsed.value)
  if (!checked.ok) {
    const mistakes = checked.mistakes
      .map(({ path: keys, at: part, message }) => ({ place: parsed.placeOf(keys, part), message }))
      .toSorted((one, other) => one.place.line - other.place.line)
    return broken(...mistakes.map(({ place, message }) => ({ place: at(place), message })))
  }
  const settings = flatten(checked.config, (keys) => ({
    kind,
    text: `${path}:${parsed.placeOf(keys, 'key').line}`,
    folder: dirname(path),
  }))
  return { settings, problems: [] }
}

/** Maximum size of a configuration file or `.env`. */
const maxConfigBytes = 256 * 1024

/** The text of a file; `undefined` if there is no file. */
type TextOutcome =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }

/** Reads a small text file, or says why it cannot be read. A folder or a pipe counts as missing: `undefined`. */
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
