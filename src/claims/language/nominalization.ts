import type { Difference } from '../check/align.ts'
import { lemma } from './lemma.ts'
import { synonyms } from './synonyms.ts'
import type { Word } from './words.ts'

/** A change that may have a noun on one side and its verb on the other. */
interface Reworded extends Difference {
  readonly claim: readonly Word[]
  readonly source: readonly Word[]
}

/** Words around a noun made from a verb ("for the treatment of") and around the verb ("to treat"). */
const aroundNoun: ReadonlySet<string> = new Set(
  ['of', 'for', 'through', 'via', 'by', 'in', 'perform', 'carry-out', 'conduct', 'make'].map(lemma),
)
const aroundVerb: ReadonlySet<string> = new Set(['to', 'by', 'for', 'in', 'through', 'via'])

/**
 * Whether one side turns the other's verb into a noun: "for the treatment of" for "to treat", "preventing" for "prevention
 * of", "carried out an analysis of" for "analysed".
 */
export function isNominalization({ claim, source }: Reworded): boolean {
  return isNounPhraseFor(claim, source) || isNounPhraseFor(source, claim)
}

function isNounPhraseFor(phrase: readonly Word[], verbal: readonly Word[]): boolean {
  if (phrase.at(-1)?.lemma !== 'of') return false
  const [noun, ...nouns] = phrase.filter(
    ({ lemma: base, key }) => !aroundNoun.has(base) && !aroundNoun.has(key),
  )
  const [verb, ...verbs] = verbal.filter(({ lemma: base }) => !aroundVerb.has(base))
  if (noun === undefined || verb === undefined || nouns.length + verbs.length > 0) return false
  const agrees = phrase[0]?.lemma !== 'for' || verbal[0]?.lemma !== 'by'
  return (
    agrees &&
    noun.kind === 'word' &&
    deriveVerbs(noun.plain).some((base) => toKey(base) === verb.key)
  )
}

function toKey(base: string): string {
  const own = lemma(base)
  return synonyms.get(own) ?? own
}

/** Endings of nouns and what their verbs have instead. */
const ends: readonly (readonly [noun: RegExp, verbs: readonly string[]])[] = [
  [/ment$/, ['']],
  [/ysis$/, ['yse', 'yze']],
  [/isation$|ization$/, ['ise', 'ize']],
  [/fication$/, ['fy']],
  [/ication$/, ['ify', 'icate', 'y']],
  [/ution$/, ['ute', 've']],
  [/ation$/, ['ate', 'e', '']],
  [/ction$/, ['ct', 'ce']],
  [/ition$/, ['it', 'ite', 'e', 'ise']],
  [/ption$/, ['pt', 'be', 'ume']],
  [/tion$/, ['t', 'te']],
  [/ssion$/, ['ss', 't']],
  [/sion$/, ['d', 'de', 'se', 't']],
  [/al$/, ['', 'e']],
  [/(?:anc|enc)e$/, ['', 'e']],
  [/th$/, ['']],
  [/ing$/, ['', 'e']],
  [/y$/, ['']],
]

/** The verbs that a noun may derive from: "treat" for "treatment", "reduce" for "reduction". */
function deriveVerbs(noun: string): string[] {
  const singular = noun.replace(/ses$/, 'sis').replace(/([^s])s$/, '$1')
  return [noun, singular].flatMap((form) =>
    ends.flatMap(([end, verbs]) => {
      const stem = form.replace(end, '')
      return stem === form || stem.length < 3 ? [] : verbs.map((verb) => stem + verb)
    }),
  )
}
