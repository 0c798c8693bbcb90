import { findJson, type JsonCandidate } from '../../kernel/text/json-from-text.ts'

/**
 * The text with `change` done to what is no JSON, and `changeJson` to each JSON value with an object in it: there `[1]` is a list
 * and no citation. What `change` gives must keep private-use characters where they stand.
 */
export function mapProse(
  text: string,
  change: (prose: string) => string,
  changeJson: (json: string) => string = (json) => json,
): string {
  const values = text.includes('{') ? findJson(text).filter((found) => isData(found, text)) : []
  if (values.length === 0) return change(text)
  const fence = fenceFor(text)
  let prose = ''
  let from = 0
  for (const [index, { start, end }] of values.entries()) {
    prose += `${text.slice(from, start)}${fence}${index}${fence}`
    from = end
  }
  const changed = change(prose + text.slice(from))
  // What was taken out with a definition around it would be lost.
  if (changed.split(fence).length !== values.length * 2 + 1) return change(text)
  return changed.replaceAll(new RegExp(`${fence}(\\d+)${fence}`, 'g'), (_place, index: string) => {
    const { start, end } = values[Number(index)] as JsonCandidate
    return changeJson(text.slice(start, end))
  })
}

/** JSON text with `change` done to each of its strings that may hold an address or a mark, after their escapes are read. */
export function mapAddressStrings(json: string, change: (value: string) => string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/gs, (literal) => {
    if (!/[:\\]|!CITE_/.test(literal)) return literal
    const value = JSON.parse(literal) as string
    const changed = change(value)
    return changed === value ? literal : JSON.stringify(changed)
  })
}

/** Strict JSON only, so that it is none the less so when citations elsewhere have become marks. */
function isData({ value, start, end }: JsonCandidate, text: string): boolean {
  if (!holdsObject(value)) return false
  try {
    JSON.parse(text.slice(start, end))
    return true
  } catch {
    return false
  }
}

function holdsObject(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return !Array.isArray(value) || value.some(holdsObject)
}

/** Private-use characters that the text does not have. */
function fenceFor(text: string): string {
  let fence = '\ue000'
  while (text.includes(fence)) fence += '\ue001'
  return fence
}
