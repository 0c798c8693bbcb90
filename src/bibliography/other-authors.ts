import { nameVariables } from '../citations/csl-variables.ts'
import type { CslItem, CslName } from '../citations/source.ts'

/**
 * Stands last in a list of names that is not whole. CSL-JSON has no word for it; this is the one that pandoc reads and writes,
 * as BibTeX does ("and others").
 * @see https://github.com/jgm/citeproc/issues/61
 */
export const otherAuthors: CslName = { literal: 'others' }

/** Whether the last of several names stands for authors who are not named. */
export function isOtherAuthors(name: CslName, index: number, names: readonly CslName[]): boolean {
  return name.literal === otherAuthors.literal && index > 0 && index === names.length - 1
}

/** A placeholder name. Private-use characters have no capitals and are not abbreviated to initials. */
const placeholder = '\ue000\ue001\ue000'

/** The work with a placeholder for authors who are not named. */
export function markOtherAuthors(work: CslItem): CslItem {
  const marked: { [name in (typeof nameVariables)[number]]?: readonly CslName[] } = {}
  for (const variable of nameVariables) {
    const names = work[variable]
    if (names === undefined) continue
    marked[variable] = names.map((name, index) =>
      isOtherAuthors(name, index, names) ? { family: placeholder } : name,
    )
  }
  return { ...work, ...marked }
}

/** Replaces the placeholder in citeproc's entry by "et al.", along with the conjunction before it. */
export function insertEtAl(html: string, term: (name: string) => string): string {
  if (!html.includes(placeholder)) return html
  const and = term('and').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const joined = new RegExp(
    `([,;])?\\s*(?:(?:&#38;|…|${and})\\s*)?(?:<(i|b|span)[^<>]*>${placeholder}</\\2>|${placeholder})(\\.)?`,
    'g',
  )
  const etAl = term('et-al')
  return html.replace(
    joined,
    (_, comma = '', _tag, stop = '') => `${comma} ${etAl}${etAl.endsWith('.') ? '' : stop}`,
  )
}
