import { plainSentences } from './documents.ts'
import { shuffled } from './random.ts'
import { anyOf, largeStart, type Rewrite, smallStart } from './rewriting.ts'
import {
  agreeing,
  agrees,
  isPlural,
  nounPhrase,
  oneSidedForms,
  oneSidedParticiple,
  oneSidedParticiples,
  oneSidedVerb,
} from './verbs.ts'

const boundary =
  '(?=\\.$|[;,] | (?:in|by|through|via|during|from|when|after|while|at|under|within|and thereby)\\b)'
const active = new RegExp(
  `(^|\\b(?:show|shows|showed|found|find|demonstrate|demonstrates|demonstrated|suggest|suggests|suggested|suggesting|indicate|indicates|indicated|indicating|reveal|reveals|revealed|report|reported|conclude|concluded|evidence) that )(${nounPhrase}) (${oneSidedForms}) (${nounPhrase})${boundary}`,
  'u',
)
const passive = new RegExp(
  `(^|\\b(?:show|shows|showed|found|find|demonstrate|demonstrates|demonstrated|suggest|suggests|suggested|suggesting|indicate|indicates|indicated|indicating|reveal|reveals|revealed|report|reported|conclude|concluded|evidence) that )(${nounPhrase}) (is|are|was|were) (${oneSidedParticiples}) by (${nounPhrase})(?=\\.$|[;,] | (?:in|during|when|after|while|at|within)\\b)`,
  'u',
)

/** The two sides of a sentence, or of what follows its "that", and the verb between them. */
export interface Sides {
  /** Everything before the subject. */
  readonly before: string
  readonly subject: string
  /** The verb as it is written; of a passive the participle. */
  readonly verb: string
  /** Of a passive: is, are, was or were. */
  readonly be?: string
  readonly object: string
  readonly after: string
}

/** The sides of an active sentence with a one-sided verb; undefined where they cannot be told for sure. */
export function activeSides(sentence: string): Sides | undefined {
  const match = active.exec(sentence)
  const [all = '', lead = '', subject = '', verb = '', object = ''] = match ?? []
  const forms = oneSidedVerb(verb)
  if (match === null || forms === undefined || !agrees(forms, verb, subject)) return undefined
  const after = sentence.slice(match.index + all.length)
  if (/^(?:It|They|He|She|This|We)$/.test(subject) || subject.toLowerCase() === object)
    return undefined
  if (isTorn(subject) || isTorn(object)) return undefined
  return { before: sentence.slice(0, match.index) + lead, subject, verb, object, after }
}

/** The sides of a passive sentence with a one-sided verb; undefined where they cannot be told for sure. */
export function passiveSides(sentence: string): Sides | undefined {
  const match = passive.exec(sentence)
  if (match === null) return undefined
  const [all, lead = '', subject = '', be = '', verb = '', object = ''] = match
  if (isTorn(subject) || isTorn(object)) return undefined
  const after = sentence.slice(match.index + all.length)
  return { before: sentence.slice(0, match.index) + lead, subject, verb, be, object, after }
}

/** Whether a phrase goes on after its last word, or is none. */
function isTorn(phrase: string): boolean {
  return /(?:ed|ing|[a-z]ly|en)$|^\d|\b[A-Z]$|^(?:[Tt]heir|[Ii]ts|[Hh]is|[Hh]er) /.test(phrase)
}

/** A phrase as it stands inside a sentence, or at its start. */
export function placed(before: string, phrase: string, material: Parameters<Rewrite>[1]): string {
  return before === '' ? largeStart(phrase) : (smallStart(phrase, material) ?? phrase)
}

const roles: Rewrite = (sentence, material) => {
  const acting = activeSides(sentence)
  if (acting !== undefined) {
    const { before, subject, verb, object, after } = acting
    const forms = oneSidedVerb(verb)
    if (forms === undefined) return undefined
    const patient = smallStart(subject, material) ?? subject
    return `${before}${placed(before, object, material)} ${agreeing(forms, verb, object)} ${patient}${after}`
  }
  const suffering = passiveSides(sentence)
  if (suffering === undefined || oneSidedParticiple(suffering.verb) === undefined) return undefined
  const { before, subject, be = 'is', verb, object, after } = suffering
  const [one, many] = be === 'is' || be === 'are' ? ['is', 'are'] : ['was', 'were']
  const agent = smallStart(subject, material) ?? subject
  return `${before}${placed(before, object, material)} ${isPlural(object) ? many : one} ${verb} by ${agent}${after}`
}

const sides: readonly RegExp[] = [
  new RegExp(
    `(\\b(?:higher|lower|greater|more|less|better|worse|larger|smaller|longer|shorter|fewer|stronger|commoner|frequent|common)\\b[^.,;]*? (?<same>in|for|among|with) )(${nounPhrase})( than \\k<same> )(${nounPhrase})(?=\\.$|[;,] (?!and|or|[A-Z0-9])| \\()`,
    'u',
  ),
  new RegExp(
    `(\\b(?:higher|lower|greater|increased|decreased|reduced|elevated|impaired|more|less)\\b[^.,;]*? in )(${nounPhrase})( (?:compared (?:with|to)|versus|vs\\.?|relative to) (?:those in |that in )?)(${nounPhrase})(?=\\.$|[;,] (?!and|or|[A-Z0-9])| \\()`,
    'u',
  ),
  new RegExp(
    `(^)(${nounPhrase})( (?:was|were|is|are|had|has) [^.,;]*?\\b(?:\\w+er|more [a-z]+|less [a-z]+) than )(${nounPhrase})(?=\\.$|[;,] (?!and|or|[A-Z0-9])| \\()`,
    'u',
  ),
]

const compared: Rewrite = (sentence, material) => {
  for (const pattern of shuffled(sides, material.random)) {
    const match = pattern.exec(sentence)
    if (match === null) continue
    const [all, before = '', ...rest] = match
    const [one = '', between = '', other = ''] = rest.slice(-3)
    if (/\d/.test(one + other)) continue
    if (/\b(?:expected|that|those|before|previously|usual)\b/.test(other)) continue
    const start = sentence.slice(0, match.index)
    const moved = before === '' ? (smallStart(one, material) ?? one) : one
    return `${start}${before}${placed(start + before, other, material)}${between}${moved}${sentence.slice(match.index + all.length)}`
  }
  return undefined
}

const word = '[A-Za-z][A-Za-z0-9α-ω/+-]*'
const pair = new RegExp(
  `(?<=\\b(?:of|in|for|the|The|with|both|by|from|to|[Mm]ean|[Mm]edian) )(${word}) and (${word})(?= (?:were|was|is|are|had|in|of|for|with|groups?|patients|cells|cancer|at|among|mice|rats)\\b|,)(?=.*\\brespectively)`,
  'u',
)
const paired: Rewrite = (sentence) => {
  const match = pair.exec(sentence)
  if (match === null || /\bbetween\b/.test(sentence)) return undefined
  if (!/ and .* and .*respectively/.test(sentence)) return undefined
  const [all, one = '', other = ''] = match
  if (/^[A-Z]/.test(one) !== /^[A-Z]/.test(other)) return undefined
  return `${sentence.slice(0, match.index)}${other} and ${one}${sentence.slice(match.index + all.length)}`
}

const fromTo: Rewrite = (sentence) => {
  const pattern = new RegExp(
    `(\\b(?:increas|decreas|declin|reduc|ris|rose|fell|chang|switch|mov|progress|convert|transition|shift|improv|dropp|transferr)\\w*(?: [a-z]+){0,5} from )([\\d.]+ ?%?|${nounPhrase})( to )([\\d.]+ ?%?|${nounPhrase})(?=[.,;]| (?:in|during|after|at|\\(|and)\\b)`,
    'u',
  )
  const match = pattern.exec(sentence)
  if (match === null) return undefined
  const [all, before = '', one = '', to = '', other = ''] = match
  if (
    one.split(' ').length !== other.split(' ').length ||
    one.startsWith('the ') !== other.startsWith('the ')
  )
    return undefined
  return `${sentence.slice(0, match.index)}${before}${other}${to}${one}${sentence.slice(match.index + all.length)}`
}

const shared = /^(\S+(?: \S+){1,7}) (is|are|was|were|has been|have been|can|could) (.{15,}\.)$/u
const anaphor =
  /^(?:It|This|These|That|Those|They|He|She|We|There|Here|His|Her|Its|Their|Our|Such|Both|All|In|On|At|After|During|To|By|For|From|When|While|Although|However|As|If|Since|Because|With|Among|Of|What|Each|Another|Other|The (?:film|album|book|band|song|series|game|show|city|team|study|results?|findings?|primary|main|most)|No|Some|Most)\b/

/** The subject of one sentence with what another sentence of the same text says of something else. */
export const spliced: Rewrite = (sentence, { random, source }) => {
  if (source.set === 'HotpotQA') return undefined
  const [, subject = '', be = '', own = ''] = shared.exec(sentence) ?? []
  if (subject === '' || /[,;(]/.test(subject) || anaphor.test(subject)) return undefined
  if (/\b(?:that|which|who|whether|if|we|is|are|was|were|has|have|had|and)\b/.test(subject))
    return undefined
  for (const other of shuffled(plainSentences(source.text), random)) {
    const [, otherSubject = '', otherBe, predicate = ''] = shared.exec(other) ?? []
    if (otherBe !== be || other === sentence || anaphor.test(otherSubject)) continue
    if (/\b(?:aim|objective|purpose|goal)s?\b/i.test(subject + otherSubject)) continue
    if (!isAlike(own, predicate)) continue
    if (/[,;(]|\b(?:that|which|who|we|is|are|was|were)\b/.test(otherSubject)) continue
    if (isPlural(subject) !== isPlural(otherSubject) || sharesWord(subject, otherSubject)) continue
    if (sharesWord(subject, predicate)) continue
    return `${subject} ${be} ${predicate}`
  }
  return undefined
}

/** Whether two predicates begin with the same word or both with a participle. */
function isAlike(one: string, other: string): boolean {
  const first = (text: string): string =>
    text.replace(/^(?:not|also|\w+ly) /, '').split(' ')[0] ?? ''
  const participle = /(?:ed|own|ound|een|iven|ade|orn|aken)$/
  return (
    (first(one) === first(other) && !/^(?:less|more|most|at|in|the)$/.test(first(one))) ||
    (participle.test(first(one)) && participle.test(first(other)))
  )
}

function sharesWord(one: string, other: string): boolean {
  const stems = (text: string): string[] =>
    (text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? [])
      .filter((word) => !/^(?:the|and|for|with|from|all)$/.test(word))
      .map((word) => word.slice(0, 5))
  const known = new Set(stems(one))
  return stems(other).some((stem) => known.has(stem))
}

/** Rewrites that make a sentence false by saying of one thing what is true of another. */
export const roleCorruptions: Readonly<Record<string, Rewrite>> = {
  roles,
  comparison: anyOf(compared, fromTo),
  pairing: paired,
  splice: spliced,
}
