import { nameVariables } from '../citations/csl-variables.ts'
import type { CslItem, CslName } from '../citations/source.ts'

/**
 * The last name in an incomplete list of names. CSL-JSON has no term for it; pandoc reads and writes this one, like BibTeX's "and
 * others".
 * @see https://github.com/jgm/citeproc/issues/61
 */
export const otherAuthors: CslName = { literal: 'others' }

/** Whether a name is last in its list and stands for omitted authors. */
export function isOtherAuthors(name: CslName, index: number, names: readonly CslName[]): boolean {
  return name.literal === otherAuthors.literal && index > 0 && index === names.length - 1
}

/** A placeholder name. Private-use characters have no capitals and are not abbreviated to initials. */
const placeholder = '\ue000\ue001\ue000'

/** The work with a placeholder name for omitted authors. */
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

/** Replaces the placeholder in citeproc's entry by "et al.", together with the conjunction before it. */
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
