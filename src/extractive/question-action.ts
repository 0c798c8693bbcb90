import type { QuestionForm } from './question-kind.ts'
import type { Term } from './question-terms.ts'

/**
 * The word for what was done or is the case ("invented", "die"): in questions of time, place, manner or reason a past
 * participle if there is one, else the first word that is no name and may not be missing.
 */
export function actionIn(form: QuestionForm, terms: readonly Term[]): Term | undefined {
  const words = terms.filter(
    ({ form: kind, isWeak, isSide, text }) =>
      kind === 'word' && !isWeak && !isSide && !/^(?:first|second|third|last)$/i.test(text),
  )
  const [first, second] = words
  if (first !== undefined && namesPeople(form, first)) return second
  const isSubjectFirst = /^(?:time|place|manner|reason|amount)$/.test(form.kind)
  return isSubjectFirst ? (words.find(({ text }) => isParticiple(text)) ?? first) : first
}

/** "Which women won": the first word says who is wanted, not what was done. */
function namesPeople({ kind, isChoice }: QuestionForm, { text }: Term): boolean {
  const isPeople = /^(?:wom[ae]n|m[ae]n|actress(?:es)?)$/i.test(text)
  return kind === 'person' && isChoice === true && isPeople
}

const irregularParticiple =
  /^(?:made|built|found|born|written|won|held|sold|sent|shot|led|known|taken|given|shown|grown|drawn|broken|chosen|seen|kept|lost|left|paid|told|taught|bought|brought|caught|begun|sunk|sung|spoken|stolen|struck|thrown|worn|fought)$/i

function isParticiple(word: string): boolean {
  return /..[^e]ed$/i.test(word) || irregularParticiple.test(word)
}
