/** How often each lower-case word occurs unbroken in a document; compounds count with their hyphens. */
export type Vocabulary = ReadonlyMap<string, number>

/** How to join a text and the next line: what the text loses, and what comes between. */
export interface HyphenJoin {
  readonly dropped: 0 | 1
  readonly separator: '' | ' '
}

const anyWord = /\p{L}+(?:-\p{L}+)*-?/gu
const asciiWord = /[a-z]+(?:-[a-z]+)*-?/g

/** The vocabulary of lines, without words that may be broken at a line's end or start. */
export function createVocabulary(lines: Iterable<string>): Vocabulary {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const isAscii = !/[^ -~]/.test(line)
    const words = line.toLowerCase().match(isAscii ? asciiWord : anyWord) ?? []
    for (let index = words.length > 1 ? 1 : 0; index < words.length; index++) {
      const word = words[index] as string
      if (!word.endsWith('-')) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return counts
}

/** Connecting words of compounds: “state-of-the-art”, “end-to-end”. */
const isLink = /^(?:of|to|the|in|by|on|for|at|and|or|up|out|off)$/i

const mayJoin: ReadonlySet<string> = new Set(['-', '\u00ad', '\u2010', '/', '_', '=', '&', '?'])

/**
 * How to join a text, of which the last 80 characters are enough, with the next line; `undefined` if it does not end in a
 * hyphen. The hyphen is dropped if it
 * only broke a word ("exam-" "ple") and kept in compounds, judged by the rest of the document.
 */
export function joinAtHyphen(
  text: string,
  next: string,
  vocabulary: Vocabulary,
): HyphenJoin | undefined {
  if (!mayJoin.has(text.at(-1) ?? '')) return undefined
  if (/(?:https?:\/\/|www\.)\S*[/_=&?-]$/.test(text)) return { dropped: 0, separator: '' }
  const broken = /([\p{L}\d]+(?:-[\p{L}\d]+)*)([-\u00ad\u2010])$/u.exec(text)
  if (broken === null) return undefined
  const [, before = '', hyphen] = broken
  if (hyphen === '\u00ad') return { dropped: 1, separator: '' }
  const after = /^\p{L}+/u.exec(next)?.[0] ?? ''
  const chain = /^\p{L}+(?:-\p{L}+)*/u.exec(next)?.[0] ?? ''
  const isChained = chain !== after
  if (!isChained && /^(?:and|or|to|und|oder|bis|et|ou|y|o)$/.test(after))
    return { dropped: 0, separator: ' ' }
  const times = (word: string) => vocabulary.get(word.toLowerCase()) ?? 0
  const isLetterBroken = /^\p{Ll}/u.test(after) || times(before + after) > 0
  if (!isLetterBroken || !/\p{L}$/u.test(before)) return { dropped: 0, separator: '' }
  const isWord = (part: string) => part.length >= 4 && times(part) > 0
  const isUnseen = times(before + after) === 0
  const isCompound =
    before.includes('-') ||
    times(`${before}-${chain}`) > times(before + chain) ||
    times(`${before}-${after}`) > times(before + after) ||
    (isChained && isUnseen && isLink.test(after) && before.length >= 3 && times(before) > 0) ||
    (isUnseen && isWord(before) && isWord(after))
  return { dropped: isCompound ? 0 : 1, separator: '' }
}
