import { isRecord, lineOf, listOf } from '../../sources/lookup/values.ts'

/** More authors than that are not kept; the longest lists have some 5,000. */
const maxAuthors = 1_000
const maxNameChars = 200

/**
 * Names as people write them, in order, from what services give as authors: a list of texts or of records with a name, one record,
 * a text with commas, semicolons or "and", or a text that is a list in JSON or Python. What is no name is left out.
 */
export function authorNames(value: unknown): readonly string[] {
  if (typeof value === 'string') return namesIn(value)
  if (isRecord(value)) {
    const name = nameOf(value)
    // Names under numbers: {"0": "Ada Quill", "1": …}.
    return name === undefined ? authorNames(Object.values(value).slice(0, maxAuthors)) : [name]
  }
  return listOf(value, maxAuthors).flatMap((one) => {
    const name = isRecord(one) ? nameOf(one) : lineOf(one, maxNameChars)
    return typeof one === 'number' || name === undefined ? [] : [inOrder(name)]
  })
}

function nameOf(record: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ['name', 'full_name', 'fullName', 'display_name', 'author', 'literal']) {
    const name = Object.hasOwn(record, key) ? lineOf(record[key], maxNameChars) : undefined
    if (name !== undefined) return inOrder(name)
  }
  const part = (...keys: readonly string[]) =>
    lineOf(record[keys.find((key) => Object.hasOwn(record, key)) ?? ''], maxNameChars)
  const family = part('family', 'last', 'lastName', 'last_name')
  if (family === undefined) return undefined
  return [part('given', 'first', 'firstName', 'first_name'), family].filter(Boolean).join(' ')
}

function namesIn(text: string): readonly string[] {
  const line = lineOf(text, 100_000)
  if (line === undefined) return []
  const quoted = /^\[.*\]$/.test(line) ? quotedIn(line) : []
  if (quoted.length > 0) return quoted.map(inOrder)
  const parts = line.includes(';') ? line.split(';') : line.split(/\s+(?:and|&)\s+/i)
  return parts
    .flatMap((part) => (line.includes(';') ? [part] : splitAtCommas(part)))
    .map((part) => inOrder(part.trim().replace(/^(?:and|&)\s+|,$/gi, '')))
    .filter((name) => /\p{L}/u.test(name) && !/^(?:et al\.?|others)$/i.test(name))
    .slice(0, maxAuthors)
}

/** The quoted texts of a list as JSON or Python writes it. */
function quotedIn(line: string): readonly string[] {
  const found = line.slice(0, 50_000).match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g) ?? []
  return found.map((text) => text.slice(1, -1).trim()).filter((text) => text !== '')
}

const initials = /^(?:\p{Lu}\.?[\s-]?){1,4}$/u

/** Names that commas part; a comma within a name parts the family name from the given one. */
function splitAtCommas(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim())
  const pieces = parts.filter((part) => part !== '')
  if (pieces.length < 2) return pieces
  const isPaired =
    pieces.length % 2 === 0 && pieces.every((one, at) => at % 2 === 0 || initials.test(one))
  const isOneName = pieces.length === 2 && !pieces[0]?.includes(' ')
  if (!isPaired && !isOneName) return pieces
  return pieces.flatMap((one, at) => (at % 2 === 0 ? [`${one}, ${pieces[at + 1] ?? ''}`] : []))
}

/** A name with its family name first, the way its bearer signs. */
function inOrder(name: string): string {
  const [family = '', given = '', ...rest] = name.slice(0, maxNameChars).split(/,\s*/)
  if (given === '' || rest.length > 1) return name.slice(0, maxNameChars).trim()
  return [given, family, ...rest].join(' ').trim()
}
