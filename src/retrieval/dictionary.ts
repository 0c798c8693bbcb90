import { stem } from './stem.ts'

/** Numbers for words, with their stems and character n-grams. Numbers start at 0 and stay valid for its lifetime. */
export interface Dictionary {
  /** How many words it contains; the owner creates a new one when it gets too large. */
  readonly size: () => number
  readonly stemCount: () => number
  readonly gramCount: () => number
  /** The word's number, assigned on first use. */
  readonly idOf: (word: string) => number
  /** The number of a word's stem. */
  readonly stemOf: (id: number) => number
  /** The numbers of a word's character 4-grams, with a mark at either end. */
  readonly gramsOf: (id: number) => readonly number[]
  /** Whether a stem consists of digits. */
  readonly isNumber: (stemId: number) => boolean
}

/** Creates an empty dictionary. */
export function createDictionary(): Dictionary {
  const words = new Map<string, number>()
  const stems = new Map<string, number>()
  const grams = new Map<string, number>()
  const stemOf: number[] = []
  const gramsOf: (readonly number[])[] = []
  const isNumber: boolean[] = []
  const numberOf = (known: Map<string, number>, key: string): number => {
    const found = known.get(key)
    if (found !== undefined) return found
    known.set(key, known.size)
    return known.size - 1
  }
  const learn = (word: string): number => {
    const id = numberOf(words, word)
    const stemId = numberOf(stems, stem(word))
    stemOf.push(stemId)
    isNumber[stemId] = /^\d+$/.test(word)
    gramsOf.push(splitGrams(word).map((gram) => numberOf(grams, gram)))
    return id
  }
  return {
    size: () => words.size,
    stemCount: () => stems.size,
    gramCount: () => grams.size,
    idOf: (word) => words.get(word) ?? learn(word),
    stemOf: (id) => stemOf[id] as number,
    gramsOf: (id) => gramsOf[id] as readonly number[],
    isNumber: (stemId) => isNumber[stemId] as boolean,
  }
}

function splitGrams(word: string): readonly string[] {
  const bounded = `_${word}_`
  const pieces: string[] = []
  for (let index = 0; index + 4 <= bounded.length; index++)
    pieces.push(bounded.slice(index, index + 4))
  return pieces.length === 0 ? [bounded] : pieces
}
