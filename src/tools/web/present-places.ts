import type { ToolResultPart } from '../../kernel/agent/message.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { type Places, siteOf } from './places.ts'
import type { FoundPlace } from './search-tools.ts'
import { webToolNames } from './tool-names.ts'
import { type Unavailable, withoutAddresses } from './unavailable.ts'

/** A web tool's result in the form in which a model sees it, and the sources that could not be had. */
export interface PresentedResult {
  readonly result: ToolResultPart
  readonly unavailable: readonly Unavailable[]
}

/**
 * Gives what a search found its numbers and takes the addresses out. What could not be had is told shortly; a tool that came to
 * nothing for it has failed. The results of other tools stay as they are.
 */
export function presentPlaces(places: Places, result: ToolResultPart): PresentedResult {
  const { output, toolName } = result
  const isOfWeb = webToolNames.has(toolName) && result.isError !== true
  if (!isOfWeb || !isObject(output)) return { result, unavailable: [] }
  const { results, unavailable, ...rest } = output
  if (results === undefined && unavailable === undefined) return { result, unavailable: [] }
  const missed = (unavailable ?? []) as unknown as readonly Unavailable[]
  const shown = {
    ...rest,
    ...(results === undefined ? {} : { results: numbered(places, results) }),
    ...(missed.length === 0 ? {} : { unavailable: missed.map(shortly) }),
  }
  const isError = rest.error === undefined ? {} : { isError: true as const }
  return { result: { ...result, output: shown, ...isError }, unavailable: missed }
}

function numbered(places: Places, results: Json): Json {
  return (results as unknown as readonly FoundPlace[]).map(({ place, snippet, ...about }) => ({
    result: places.add(place),
    site: siteOf(place),
    ...about,
    snippet: withoutAddresses(snippet),
  })) as unknown as Json
}

/** A page's address is not for models. */
function shortly({ source, reason }: Unavailable): string {
  return `${/^https?:/.test(source) ? 'this result' : source}: ${reason}`
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
