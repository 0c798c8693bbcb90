import { bareAddress, mayStartAddress, startsAddress } from '../../citations/markup/addresses.ts'
import { type Place, Places, siteOf } from '../../tools/web/places.ts'
import type { AskState } from './state.ts'

/** What is asked, as far as it says which pages there are. */
type Asked = Pick<AskState, 'question' | 'web'>

/** The question as models see it: where the web may be asked, its addresses are the numbers of results. */
export function shownQuestion({ question, web }: Asked): string {
  return web ? markPages(question).text : question
}

/** The pages that the person named in the question, under the numbers from 1 on; none where the web is not asked. */
export function questionPages({ question, web }: Asked): readonly Place[] {
  return web ? markPages(question).pages : []
}

/** A page as a question shows it: `[result 1: example.org]`. */
export function pageMark(place: Place, number: number): string {
  return `[result ${number}: ${siteOf(place)}]`
}

function markPages(question: string): { readonly text: string; readonly pages: readonly Place[] } {
  const places = new Places()
  let text = ''
  let from = 0
  for (const { index } of question.matchAll(/https?:\/\//gi)) {
    if (index < from || !startsAddress(question, index) || !mayStartAddress(question, index))
      continue
    const { url, end } = bareAddress(question, index, question.length)
    if (url === undefined) continue
    const place = { url, title: siteOf({ url, title: '' }) }
    text += question.slice(from, index) + pageMark(place, places.add(place))
    from = end
  }
  return { text: text + question.slice(from), pages: places.all }
}
