/** Marks that are looked at; more would be a trap. */
const MAX_MARKS = 10

/** The JSON object that stands in a page after one of these marks, `undefined` where none can be read. */
export function jsonObjectAt(page: string, mark: RegExp): unknown {
  for (const found of page.matchAll(mark).take(MAX_MARKS)) {
    const start = found.index + found[0].length
    const end = objectEnd(page, start)
    if (end === undefined) continue
    try {
      return JSON.parse(page.slice(start, end))
    } catch {
      // Another mark may stand before the true one.
    }
  }
  return undefined
}

/** Where the object ends that begins here, by its braces outside of texts. */
function objectEnd(page: string, start: number): number | undefined {
  if (page[start] !== '{') return undefined
  const marks = /["\\{}]/g
  marks.lastIndex = start
  let depth = 0
  let isText = false
  for (let found = marks.exec(page); found !== null; found = marks.exec(page)) {
    const [mark] = found
    if (mark === '\\') marks.lastIndex += 1
    else if (mark === '"') isText = !isText
    else if (!isText) depth += mark === '{' ? 1 : -1
    if (depth === 0) return found.index + 1
  }
  return undefined
}
