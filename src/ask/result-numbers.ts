import type { CitedNumbers } from '../citations/numbers/index-entry.ts'
import { adaptTool } from '../citations/tools/adapt-tool.ts'
import type { Tool } from '../kernel/agent/tool.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { Places } from '../tools/web/places.ts'

/** What stands in a tool's texts where it would take citation numbers, and what of results. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [
    /Instead of URLs: the numbers of the sources, \[3, 4\] for \[!CITE_3!\] and \[!CITE_4!\]\./g,
    'Instead of URLs: the numbers of results, [3, 4] for [result 3: …] and [result 4: …].',
  ],
  [
    /Instead of a URL: the number of the source, 3 for \[!CITE_3!\]\./g,
    'Instead of a URL: the number of a result, 3 for [result 3: …].',
  ],
  [
    /Sources are given by their citation numbers\./g,
    'Addresses are given by the numbers of results.',
  ],
]

/**
 * A tool whose parameters for addresses take the numbers of results: `url` is shown as `result`. A tool without such parameters
 * stays as it is.
 *
 * @throws `invalid_configuration` for a tool that takes addresses in a form that numbers cannot stand for
 */
export function takingResults(tool: Tool, places: Places): Tool {
  const adapted = adaptTool(tool, numbersOf(places))
  if (adapted === tool) return tool
  const { properties } = adapted.parameters
  const shown = Object.keys((properties ?? {}) as JsonObject)
  const names = renamed(shown, Object.keys((tool.parameters.properties ?? {}) as JsonObject))
  return {
    ...adapted,
    description: reworded(adapted.description),
    parameters: withNames(JSON.parse(reworded(JSON.stringify(adapted.parameters))), names),
    parse(input) {
      const own = new Map([...names].map(([name, result]) => [result, name]))
      const parsed = adapted.parse(keysRenamed(input, own))
      if (parsed.ok) return parsed
      const reason = parsed.reason
        .replaceAll(/\bcitation(s?)\b/g, 'result$1')
        .replaceAll('the number of the source', 'the number of a result')
      return { ok: false, reason: `${reason} ${places.rangeText()}` }
    },
  }
}

function numbersOf(places: Places): CitedNumbers {
  return {
    get size() {
      return places.all.length
    },
    entry(n) {
      const place = places.all[n - 1]
      return place === undefined ? undefined : { n, url: place.url, title: place.title }
    },
  }
}

function reworded(text: string): string {
  return wordings.reduce((changed, [wording, other]) => changed.replaceAll(wording, other), text)
}

/** `citation` becomes `result` where that name is free. */
function renamed(shown: readonly string[], own: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set([...shown, ...own])
  const names = new Map<string, string>()
  for (const name of shown) {
    const result = name.replace(/citation/, 'result').replace(/Citation/, 'Result')
    if (own.includes(name) || taken.has(result)) continue
    taken.add(result)
    names.set(name, result)
  }
  return names
}

function withNames(schema: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const { properties, required } = schema
  const nameOf = (name: string) => names.get(name) ?? name
  return {
    ...schema,
    properties: keysRenamed(properties, names) as JsonObject,
    ...(Array.isArray(required) ? { required: required.map((name) => nameOf(String(name))) } : {}),
  }
}

function keysRenamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [names.get(key) ?? key, member]),
  )
}
