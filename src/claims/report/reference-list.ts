import { referenceHeading } from '../../citations/markup/blocks.ts'
import { labelKey } from '../../citations/markup/definition.ts'

/** An entry of a report's reference list, or a definition anywhere in the report. */
export interface ReferenceEntry {
  /** What the text cites it by, as {@link labelKey} gives it. */
  readonly key: string
  readonly label: string
  /** The entry without its label, on one line. */
  readonly words: string
  /** The first and last line, from 1. */
  readonly line: number
  readonly lastLine: number
}

const otherHeading = /^\s{0,3}#{1,6}\s/
const fence = /^\s{0,3}(?:`{3,}|~{3,})/
/** `[1] words`, `[1]: words`, `- [1] words`, `1. words`. */
const listed = /^\s{0,3}(?:[-*+•]\s+)?(?:\[([^\]\n]{1,40})\]:?|(\d{1,4})[.)])\s+(\S.*)$/
/** `[1]: words`, `[^a]: words`, `[name]: words`. */
const defined = /^\s{0,3}\[([^\]\n]{1,40})\]:\s*(\S.*)$/

/**
 * Reads the entries under headings such as "References" or "Sources", and definitions anywhere, in order. Of two with the
 * same label the first counts, as in CommonMark. In a list, an entry continues until a blank line or a line that cites; a
 * footnote continues over indented lines; other definitions are one line.
 */
export function readReferenceList(report: string): readonly ReferenceEntry[] {
  const entries = new Map<string, ReferenceEntry>()
  let open: ReferenceEntry | undefined
  let isInList = false
  let isInFence = false
  const keep = (): void => {
    if (open !== undefined && !entries.has(open.key)) entries.set(open.key, open)
    open = undefined
  }
  for (const [index, line] of report.split('\n').entries()) {
    if (fence.test(line)) isInFence = !isInFence
    if (isInFence) continue
    const isHeading = referenceHeading.test(line)
    if (isHeading) isInList = true
    else if (otherHeading.test(line)) isInList = false
    const started = readEntry(line, isInList, index + 1)
    if (started !== undefined || isHeading || !continuesEntry(open, line, isInList)) keep()
    if (started !== undefined) open = started
    else if (open !== undefined)
      open = { ...open, words: `${open.words} ${line.trim()}`, lastLine: index + 1 }
  }
  keep()
  return [...entries.values()]
}

function continuesEntry(
  open: ReferenceEntry | undefined,
  line: string,
  isInList: boolean,
): boolean {
  if (open === undefined || line.trim() === '') return false
  const isIndented = /^(?: {2,}|\t)/.test(line)
  const isFootnote = open.label.startsWith('^')
  return (isFootnote && isIndented) || (isInList && !/\[(?:\^|@)?[\w.-]{1,40}\]/.test(line))
}

function readEntry(text: string, isInList: boolean, line: number): ReferenceEntry | undefined {
  const [, label, number, words] = (isInList ? listed.exec(text) : undefined) ?? []
  const [, ownLabel, ownWords] = words === undefined ? (defined.exec(text) ?? []) : []
  const found = label ?? number ?? ownLabel
  const said = words ?? ownWords
  if (found === undefined || said === undefined) return undefined
  if (ownLabel !== undefined && !isInList && !isDefinition(ownLabel, said)) return undefined
  return { key: labelKey(found), label: found, words: said.trim(), line, lastLine: line }
}

/**
 * Whether the text after `[label]:` outside a list defines it: anything for a number or a footnote, otherwise only an
 * address or path.
 */
function isDefinition(label: string, words: string): boolean {
  if (/^(?:\d{1,4}|\^.*)$/.test(label)) return true
  return /^(?:<[^>]+>|\S*[./]\S*)(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*$/.test(words)
}
