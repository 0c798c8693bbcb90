import type { PaperLayout } from './paper-layout.ts'

const HEADING = /^(?:abstract|summary|zusammenfassung|résumé|resumen)\s*[:.]?$/i
/** "Abstract", "ABSTRACT.", "Abstract—", "# Abstract" where a line begins. */
const MARK =
  /(?:^|\n)[^\S\n]*(?:#{1,6}[^\S\n]*|\*\*)?(?:abstract|ABSTRACT|Abstract|Summary|SUMMARY)(?:\*\*)?[^\S\n]*(?:[.:—–-]+[^\S\n]*|\n)\s*(?=\S)/
/** What stands after an abstract where no heading does. */
const AFTER =
  /\n\s*(?:#{1,6}\s*)?(?:(?:key\s?words(?:\s+and\s+phrases)?|index\s+terms|ccs\s+concepts|categories\s+and\s+subject\s+descriptors|general\s+terms|acm\s+reference\s+format|contents|(?:1|i)\.?\s+introduction|introduction)\b)/i
/** An abstract is told on the first pages, and is no longer than this many UTF-16 code units. */
const MOST_UNITS = 6_000
const SEARCHED_UNITS = 20_000

/** A paper's abstract as running text; empty where it has none under that name. */
export function findAbstract(text: string, { sections }: PaperLayout): string {
  const index = sections.findIndex(
    ({ title, start }) => HEADING.test(title.trim()) && start < SEARCHED_UNITS,
  )
  const section = sections[index]
  if (section !== undefined) {
    const start = text.indexOf(section.title, section.start) + section.title.length
    return running(text.slice(start, sections[index + 1]?.start ?? text.length))
  }
  const found = MARK.exec(text.slice(0, SEARCHED_UNITS))
  if (found === null) return ''
  const start = found.index + found[0].length
  const next = sections.find((one) => one.start > start)?.start ?? text.length
  return running(text.slice(start, next))
}

function running(stretch: string): string {
  const end = AFTER.exec(stretch)?.index ?? stretch.length
  const words = stretch
    .slice(0, end)
    .replace(/^[\s:.—–-]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return words.length <= MOST_UNITS ? words : ''
}
