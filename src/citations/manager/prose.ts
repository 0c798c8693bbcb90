import { findJson, type JsonCandidate } from '../../kernel/text/json-from-text.ts'

/**
 * Applies `change` to prose and `changeJson` to each JSON value that contains an object, where `[1]` is a list rather than
 * a citation. The result of `change` must keep private-use characters in place.
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
  // Otherwise JSON removed together with a definition around it would be lost.
  if (changed.split(fence).length !== values.length * 2 + 1) return change(text)
  return changed.replaceAll(new RegExp(`${fence}(\\d+)${fence}`, 'g'), (_place, index: string) => {
    const { start, end } = values[Number(index)] as JsonCandidate
    return changeJson(text.slice(start, end))
  })
}

/** Applies `change` to each string of a JSON text that may contain an address or a mark, with escapes decoded. */
export function mapAddressStrings(json: string, change: (value: string) => string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/gs, (literal) => {
    if (!/[:\\]|!CITE_/.test(literal)) return literal
    const value = JSON.parse(literal) as string
    const changed = change(value)
    return changed === value ? literal : JSON.stringify(changed)
  })
}

/** Strict JSON only, so that it stays JSON when citations elsewhere become marks. */
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

/** Private-use characters that the text does not contain. */
function fenceFor(text: string): string {
  let fence = '\ue000'
  while (text.includes(fence)) fence += '\ue001'
  return fence
}
