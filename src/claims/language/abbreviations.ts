import { tokenize } from './tokens.ts'
import { parseWords, type Word } from './words.ts'

/** An abbreviation that a text defines: its key and the keys of the words it stands for. */
export interface Abbreviation {
  readonly short: string
  readonly long: readonly string[]
}

/** A few words in brackets: "(LDL)", "(low-density lipoprotein)". */
const bracket = /[([]([^()[\]]{2,80})[)\]]/g
/** Searched backwards from the end; a forward search could start at every letter. */
const lastWord = /$(?<=([\p{L}\p{N}]+))/u
/** A short form: one word of up to ten letters and digits with at least two capitals. */
const shortForm = /^(?=.*\p{Lu}.*\p{Lu})[\p{L}\p{N}]{2,10}$/u

/**
 * Finds the abbreviations that a text defines: "low-density lipoprotein (LDL)" or "LDL (low-density lipoprotein)".
 * @see https://psb.stanford.edu/psb-online/proceedings/psb03/schwartz.pdf (Schwartz and Hearst, 2003)
 */
export function findAbbreviations(text: string): Abbreviation[] {
  const found = new Map<string, Abbreviation>()
  for (const { 0: whole, 1: inside = '', index } of text.matchAll(bracket)) {
    const before = text.slice(Math.max(0, index - 120), index).trimEnd()
    const [, lead = ''] = lastWord.exec(before) ?? []
    const given = inside.split(/[;,]/)[0]?.trim() ?? whole
    const [short, long] = shortForm.test(given)
      ? [given, findLongForm(given, before)]
      : [lead, shortForm.test(lead) ? findLongForm(lead, given) : undefined]
    const abbreviation = long === undefined ? undefined : toAbbreviation(short, long)
    if (abbreviation !== undefined && !found.has(abbreviation.short))
      found.set(abbreviation.short, abbreviation)
  }
  return [...found.values()]
}

/** The end of `text` that contains the letters of `short`, read backwards, with the first at the start of a word. */
function findLongForm(short: string, text: string): string | undefined {
  const letters = (/\p{Ll}s$|\p{Lu}s$/u.test(short) ? short.slice(0, -1) : short).toLowerCase()
  const lower = text.toLowerCase()
  let at = lower.length
  for (let index = letters.length - 1; index >= 0; index--) {
    do at = at === 0 ? -1 : lower.lastIndexOf(letters[index] as string, at - 1)
    while (at > 0 && index === 0 && /[\p{L}\p{N}]/u.test(lower[at - 1] as string))
    if (at === -1) return undefined
  }
  const long = text.slice(at)
  const count = long.split(/[\s-]+/).length
  const isLikely = count > 1 && count <= Math.min(letters.length + 5, letters.length * 2)
  return isLikely && !/[.;:,]/.test(long) ? long : undefined
}

function toAbbreviation(short: string, long: string): Abbreviation | undefined {
  const [word, ...others] = parseWords(short, tokenize(short))
  const words = parseWords(long, tokenize(long))
  if (word === undefined || others.length > 0 || words.length < 2) return undefined
  return { short: word.key, long: words.map(({ key }) => key) }
}

/** Replaces the long forms of `abbreviations` in `words` by their short forms, except short forms with two meanings. */
export function applyAbbreviations(
  words: readonly Word[],
  abbreviations: readonly Abbreviation[],
): readonly Word[] {
  if (abbreviations.length === 0) return words
  const known = Map.groupBy(dropAmbiguous(abbreviations), ({ long }) => long[0] ?? '')
  const result: Word[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word
    const found = known.get(word.key)?.find((one) => isAt(words, index, one))
    if (found === undefined) {
      result.push(word)
      continue
    }
    const parts = words.slice(index, index + found.long.length)
    index += found.long.length - 1
    const { end } = words[index] as Word
    const { short } = found
    result.push({
      ...word,
      end,
      kind: 'word',
      plain: short,
      lemma: short,
      key: short,
      isCapital: true,
      parts,
    })
  }
  return result
}

/** Whether the long form is at `index`, without its short form in brackets after it. */
function isAt(words: readonly Word[], index: number, { short, long }: Abbreviation): boolean {
  const next = words[index + long.length]
  const isDefined = next?.inBrackets === true && next.key === short
  return !isDefined && long.every((key, at) => words[index + at]?.key === key)
}

function dropAmbiguous(abbreviations: readonly Abbreviation[]): Abbreviation[] {
  const meanings = Map.groupBy(abbreviations, ({ short }) => short)
  return [...meanings.values()].flatMap((same) => {
    const [first] = same as [Abbreviation, ...Abbreviation[]]
    return same.every(({ long }) => long.join(' ') === first.long.join(' ')) ? [first] : []
  })
}
