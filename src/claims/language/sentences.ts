/** A half-open span of a text in UTF-16 code units. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/**
 * Splits `text` into sentences: trimmed spans in order that together cover all but white space. Blank lines, list items,
 * table rows and Markdown headings end a sentence; abbreviations, initials, decimals and "et al." do not. Citation marks
 * after the full stop ("so. [12]") belong to the sentence before them.
 */
export function splitSentences(text: string): readonly TextSpan[] {
  const spans: TextSpan[] = []
  const scan = new RegExp(boundary)
  let start = 0
  const cut = (end: number): void => {
    const span = trimSpan(text, start, end)
    if (span !== undefined) spans.push(span)
    start = end
  }
  for (let match = scan.exec(text); match !== null; match = scan.exec(text)) {
    const [found, heading, lineBreak] = match
    if (heading === undefined && lineBreak === undefined) {
      const end = findSentenceEnd(text, match.index, found)
      if (end === undefined) continue
      cut(end)
      scan.lastIndex = Math.max(scan.lastIndex, end)
    } else {
      cut(match.index)
      if (heading !== undefined) cut(match.index + found.length)
    }
  }
  cut(text.length)
  return spans
}

/** The span from `start` to `end` without surrounding white space; `undefined` if nothing else is in it. */
export function trimSpan(text: string, start: number, end: number): TextSpan | undefined {
  const piece = text.slice(start, end)
  const from = start + piece.length - piece.trimStart().length
  return from === end ? undefined : { start: from, end: start + piece.trimEnd().length }
}

/** A Markdown heading; a line break that ends a paragraph or starts an item; a run of marks that may end a sentence. */
const boundary =
  /(^[^\S\n]{0,3}#{1,6}[^\S\n].*$)|(\n[^\S\n]*(?=\n)|\n(?=[^\S\n]*(?:[-*+•|>]|\d{1,3}[.)])[^\S\n]))|[.!?…]+|[。！？]+/gm
const closers = /["'”’»›)\]}*_]{0,8}/y
/** A superscript reference number: "was seen.12,13 The". */
const superscript = /(?:\d{1,3}(?:[,–-]\d{1,3}){0,8}|[⁰¹²³⁴-⁹]{1,8})(?=\s+\p{Lu}|\s*$)/uy
/** "[3]" or "[1, 2]" after the mark, unless it starts the next sentence ("[3] showed that"). */
const citationMarks = /(?:[^\S\n]?\[\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,8}\]){1,8}(?!\s*\p{Ll})/uy
const nextWord = /\s+["'“‘«([{*_]{0,4}([\p{L}\p{N}]{0,24}\.?)/uy
/** Searched backwards from the end; a forward search could start at every letter. */
const wordBefore = /$(?<=([\p{L}\p{N}.&]+))/u

/**
 * Where the sentence closed by `mark` at `index` ends, after quotes, brackets and citations; `undefined` if the mark
 * closes none.
 */
function findSentenceEnd(text: string, index: number, mark: string): number | undefined {
  let end = index + mark.length
  end += matchAt(closers, text, end).length
  if (/^[。！？]/.test(mark)) return end
  const before = wordBefore.exec(text.slice(Math.max(0, index - 24), index))?.[1] ?? ''
  if (/\p{L}$/u.test(before)) end += matchAt(superscript, text, end).length
  end += matchAt(citationMarks, text, end).length
  if (end >= text.length) return end
  nextWord.lastIndex = end
  const next = nextWord.exec(text)?.[1]
  if (next === undefined || /^\p{Ll}+\.?$/u.test(next)) return undefined
  return mark === '.' && !isEndAfter(before, next, isLineStart(text, index - before.length))
    ? undefined
    : end
}

function matchAt(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? ''
}

function isLineStart(text: string, index: number): boolean {
  const lead = text.slice(Math.max(0, index - 8), index)
  return /\n[^\S\n]*$/.test(lead) || (lead.length === index && lead.trim() === '')
}

/** Whether a full stop after the word `before` ends a sentence when the word `next` follows. */
function isEndAfter(before: string, next: string, startsLine: boolean): boolean {
  const word = before.toLowerCase()
  if (neverLast.has(word) || titles.has(before)) return false
  if (/^\d{1,2}$/.test(before) && afterGermanOrdinal.has(next)) return false
  if (/^\p{Ll}$/u.test(before) && /^\p{Lu}\.$/u.test(next)) return false
  if (beforeNumber.has(word)) return !/^(?:\d|[IVXLC]+\.?$)/.test(next)
  if (startsLine && /^(?:\d{1,3}|\p{L})$/u.test(before)) return false
  const mayGoOn =
    sometimesLast.has(word) ||
    /^(?:\p{L}\.)*\p{Lu}$/u.test(before) ||
    /^\p{L}(?:\.\p{L})+$/u.test(before)
  return !mayGoOn || openers.has(next)
}

const toWordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '))
/** Abbreviations that are always followed by something. */
const neverLast = toWordSet(
  'e.g i.e eg ie vs cf viz fig figs eq eqs ref refs ca approx resp spp subsp incl bzw vgl mio mrd',
)
/** "am 15. März", "im 19. Jahrhundert" */
const afterGermanOrdinal = toWordSet(
  'Januar Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert Jahrhunderts',
)
/** Titles before a name, case-sensitive: "5 ms." may end a sentence. */
const titles = toWordSet('Dr Mr Mrs Ms Prof St Gen Sen Lt Col Capt Sgt Rev Mt')
/** Abbreviations only before a number ("No. 5", "pp. 3", "Jan. 2", "Abb. 1"). */
const beforeNumber = toWordSet(
  'no nos nr abb p pp vol ch sec sect tab art para ver jan feb mar apr jun jul aug sep sept oct nov dec',
)
/** Abbreviations that may also end a sentence, depending on the next word. */
const sometimesLast = toWordSet(
  'al etc inc ltd co corp jr sr ed eds dept est sp var bros univ ph.d',
)
/** Words that start a sentence far more often than a name. */
const openers = toWordSet(
  'The A An In It This That These Those He She They We I You However But And Or So For To On At By As If When While ' +
    'Although After Before There Here His Her Its Their Our Your My Such Since Because Both Each Most Many Some All ' +
    'Not One Two With From Then Thus Moreover Furthermore Finally Also What Who Where Why How Which Another Other',
)
