import { statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { parseBibtex } from '../../bibliography/bibliography.ts'
import { isRecord, toCslItem } from '../../bibliography/csl-item.ts'
import { FileRefused, readWhole } from '../../files/opened.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { decodeText } from '../../sources/files/text/decode-text.ts'
import type { ReadReferences, ReferenceItem, RefusedReference } from './references.ts'

/** Whether a word means a file and no run: it has an ending or a slash, or is `-`. */
export function isFileName(from: string): boolean {
  return from === '-' || /[./\\]/.test(from)
}

/**
 * The works of a BibTeX or CSL-JSON file: a list of works, one work, or an object with a list of `items`. A file in which there
 * is nothing is itself refused.
 * @throws `invalid_input` for a file that is not there or of another kind
 */
export async function readReferences(name: string, folder: string): Promise<ReadReferences> {
  const path = resolve(folder, name)
  requireReadable(name, path)
  const bytes = await readWhole(path, largestFile).catch((error) => {
    throw error instanceof FileRefused ? unreadable(`${name} ${error.says}.`) : error
  })
  const decoded = decodeText(bytes)
  if (decoded === undefined) return nothing(`${name} is not a text file.`)
  const { items, refused, notes } = isJson(name)
    ? parseWorks(parseJson(name, decoded.text))
    : await parseBibtex(decoded.text)
  if (!isJson(name) && items.length + refused.length === 0) {
    return nothing(`${name} contains no BibTeX entry.`)
  }
  return { items, refused, notes: [...decoded.notes.map((text) => ({ text })), ...notes] }
}

/** In bytes. */
const largestFile = 20_000_000

function requireReadable(name: string, path: string): void {
  const ending = extname(name).toLowerCase()
  if (name === '-') throw unreadable('References cannot be read from standard input.')
  if (ending === '.ris') throw unreadable(`RIS files can be written but not read: ${name}.`)
  const file = statSync(path, { throwIfNoEntry: false })
  if (file === undefined) throw unreadable(`There is no file ${name}.`)
  if (file.isDirectory()) throw unreadable(`${name} is a folder.`)
  if (!['.bib', '.bibtex', '.json'].includes(ending)) {
    throw unreadable(`${name} is neither BibTeX (.bib) nor CSL-JSON (.json).`)
  }
  if (file.size > largestFile) {
    throw new ScholiumError('invalid_input', `${name} is larger than ${largestFile} bytes.`, {
      hint: 'Split the file.',
    })
  }
}

function isJson(name: string): boolean {
  return /\.json$/i.test(name)
}

function nothing(reason: string): ReadReferences {
  return { items: [], refused: [{ reason }], notes: [] }
}

function parseJson(name: string, text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (Array.isArray(value)) return value
    if (isRecord(value) && Array.isArray(value.items)) return value.items
    if (isRecord(value) && parseWork(value, '') !== undefined) return [value]
  } catch {
    // Reported below: invalid JSON is invalid CSL-JSON, too.
  }
  throw unreadable(`${name} is not CSL-JSON: expected a work or a list of works.`)
}

function parseWorks(records: readonly unknown[]): ReadReferences {
  const items: ReferenceItem[] = []
  const refused: RefusedReference[] = []
  for (const [place, record] of records.entries()) {
    const index = place + 1
    const item = isRecord(record) ? parseWork(record, String(record.id ?? index)) : undefined
    if (item === undefined) refused.push({ index, reason: 'it is not a CSL-JSON work' })
    else items.push(item)
  }
  return { items, refused, notes: [] }
}

/** Has a type, or at least one variable of the standard. */
function parseWork(
  record: Readonly<Record<string, unknown>>,
  id: string,
): ReferenceItem | undefined {
  const item = toCslItem(record, id)
  return typeof record.type === 'string' || Object.keys(item).length > 2 ? item : undefined
}

function unreadable(message: string): ScholiumError {
  return new ScholiumError('invalid_input', message, {
    hint: 'Give a run, "library", or a BibTeX (.bib) or CSL-JSON (.json) file.',
  })
}
