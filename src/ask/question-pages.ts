import { bareAddress, mayStartAddress, startsAddress } from '../citations/markup/addresses.ts'
import { type Place, Places, siteOf } from '../tools/web/places.ts'
import type { AskState } from './state.ts'

/** What is asked, as far as it says which pages there are. */
type Asked = Pick<AskState, 'question' | 'web'> & {
  readonly mcpTools?: AskState['mcpTools']
}

/** The question as models see it: where the web or servers may be asked, its addresses are the numbers of results. */
export function shownQuestion(asked: Asked): string {
  return mayRead(asked) ? withMarks(asked.question, new Places()) : asked.question
}

/** The pages that the person named in the question, under the numbers from 1 on; none where nothing could read them. */
export function questionPages(asked: Asked): readonly Place[] {
  if (!mayRead(asked)) return []
  const places = new Places()
  withMarks(asked.question, places)
  return places.all
}

function mayRead({ web, mcpTools = [] }: Asked): boolean {
  return web || mcpTools.length > 0
}

/** A page as a question shows it: `[result 1: example.org]`. */
export function pageMark(place: Place, number: number): string {
  return `[result ${number}: ${siteOf(place)}]`
}

/**
 * A text with a mark in the place of each address, under its number of a result.
 * @param most numbers that there may be; an address that would get another one is left out
 */
export function withMarks(question: string, places: Places, most = Infinity): string {
  let text = ''
  let from = 0
  for (const { index } of question.matchAll(/https?:\/\//gi)) {
    if (index < from || !startsAddress(question, index) || !mayStartAddress(question, index))
      continue
    const { url, end } = bareAddress(question, index, question.length)
    if (url === undefined) continue
    const place = { url, title: siteOf({ url, title: '' }) }
    const isKnown = places.all.length < most || places.has(place)
    text +=
      question.slice(from, index) + (isKnown ? pageMark(place, places.add(place)) : '(address)')
    from = end
  }
  return text + question.slice(from)
}
