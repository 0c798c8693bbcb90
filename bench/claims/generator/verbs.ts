/** A verb's forms. */
export interface VerbForms {
  readonly base: string
  /** With "he". */
  readonly present: string
  readonly past: string
  readonly participle: string
}

/** Verbs of which the subject does something to the object, so that both cannot be exchanged. */
const oneSided =
  `inhibit activate induce promote suppress block prevent regulate reduce increase decrease improve
  stimulate enhance impair attenuate mediate modulate trigger repress degrade phosphorylate cleave recruit
  control influence affect facilitate cause abolish restore disrupt predict protect support drive govern
  precede follow defeat acquire produce write direct replace create design publish`
    .split(/\s+/)
    .map(formsOf)

/** The forms of a verb; irregular ones only of those used here. */
export function formsOf(base: string): VerbForms {
  const irregular: Readonly<Record<string, readonly [string, string]>> = {
    drive: ['drove', 'driven'],
    write: ['wrote', 'written'],
    show: ['showed', 'shown'],
    lead: ['led', 'led'],
    bind: ['bound', 'bound'],
    control: ['controlled', 'controlled'],
  }
  const present = /(?:s|sh|ch|x|z)$/.test(base)
    ? `${base}es`
    : base.replace(/(?<=[^aeiou])y$/, 'ie').concat('s')
  const regular = base.endsWith('e')
    ? `${base}d`
    : base.replace(/(?<=[^aeiou])y$/, 'i').concat('ed')
  const [past = regular, participle = regular] = irregular[base] ?? []
  return { base, present, past, participle }
}

/** The one-sided verb that a word is the active form of. */
export function oneSidedVerb(word: string): VerbForms | undefined {
  return oneSided.find((verb) => [verb.base, verb.present, verb.past].includes(word))
}

/** The one-sided verb that a word is the participle of. */
export function oneSidedParticiple(word: string): VerbForms | undefined {
  return oneSided.find(({ participle }) => participle === word)
}

/** A pattern, without groups, of all active forms of one-sided verbs. */
export const oneSidedForms = `(?:${oneSided.flatMap(({ base, present, past }) => [base, present, past]).join('|')})`

/** A pattern, without groups, of their participles. */
export const oneSidedParticiples = `(?:${oneSided.map(({ participle }) => participle).join('|')})`

const word = "[A-Za-z0-9α-ωµ+/'’-]+"
const noNoun =
  '(?:in|of|to|by|for|with|on|at|from|and|or|but|nor|that|which|who|whom|whose|what|where|is|are|was|were|be|been|being|not|no|than|as|when|while|whereas|although|because|if|we|it|they|he|she|them|him|her|us|this|these|those|its|there|may|might|can|could|will|would|should|must|has|have|had|do|does|did|also|both|either|neither|then|thus|how|via|through|into|upon|between|during|after|before|under|over|within|without|against|about|each|other|such|only|significantly|directly|through|throughout|along|across|until|since|despite|per|more|less|most|very|here|so|best|even|the|an?|often|whether|all|demonstrat(?:e|es|ed)|determin(?:e|es|ed)|show|shows|showed|exhibit(?:s|ed)?|contain(?:s|ed)?|remain(?:s|ed)?|using|used|includ(?:e|es|ed|ing)|provid(?:e|es|ed)|authors|[a-z]+ly)'
const plain = `(?!(?:${noNoun}|The|An?|It|They|We|He|She|Under|In|At|With|By|After|During|There|When|While|If|As|That|Which|Here|Both)\\b)${word}`

/** A pattern, without groups, of a short noun phrase: an article, up to three words and one more, perhaps "of" another. */
export const nounPhrase = `(?:(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hese|[Tt]hose|[Ii]ts|[Oo]ur|[Bb]oth) )?(?:${plain} ){0,3}${plain}(?: of (?:the )?(?:${plain} )?${plain})?`

/** Whether a noun phrase takes "are", by the look of its head. */
export function isPlural(phrase: string): boolean {
  const head = (phrase.split(/ of /)[0] ?? phrase).split(' ').at(-1) ?? ''
  if (/^(?:these|those|both) /i.test(phrase)) return true
  if (/^(?:this|an?) /i.test(phrase)) return false
  if (/^(?:mice|men|women|children|people|bacteria|data|criteria|loci|nuclei)$/i.test(head))
    return true
  if (/^(?:diabetes|species|series|news|physics|AIDS|measles|rabies|genetics)$/i.test(head))
    return false
  return /[a-z]s$/.test(head) && !/(?:ss|us|is|itis)$/.test(head)
}

/** The form of a verb that agrees with a subject in the same tense as the given form. */
export function agreeing(verb: VerbForms, form: string, subject: string): string {
  if (form === verb.past) return verb.past
  return isPlural(subject) ? verb.base : verb.present
}

/** Whether a subject and a form of a verb can belong together, so that the phrase is likely the whole subject. */
export function agrees(verb: VerbForms, form: string, subject: string): boolean {
  return form === verb.past || (form === verb.base) === isPlural(subject)
}
