import type { PassageReference } from '../../citations/claim.ts'
import { type PassageId, passageId, type SourceId } from '../../citations/source.ts'
import { type Hash, isJsonObject, type Json, sha256 } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { holdsReplacement } from './path-names.ts'

/** The hashes of the texts that steps of a run read at a passage's location. */
export type RecordedTexts = ReadonlyMap<PassageId, ReadonlySet<Hash>>

/** The placeholder for a secret in a log. */
const replacedSecret = '[secret]'

/**
 * The texts that steps read at these passages, from the log.
 * @param replaced placeholders in the log; a text with one no longer matches its source and is left out
 */
export async function recordedTexts(
  references: readonly PassageReference[],
  events: AsyncIterable<RunEvent>,
  replaced: readonly string[],
): Promise<RecordedTexts> {
  const found = new Map(references.map(({ passageId: id }) => [id, new Set<Hash>()]))
  for await (const { type, data, output } of events) {
    if (type !== 'step.done') continue
    for (const [id, text] of [...textsIn(output), ...collectTexts(data.input, output)]) {
      if (holdsReplacement(text, [...replaced, replacedSecret])) continue
      found.get(id)?.add(sha256(text))
    }
  }
  return found
}

/** The recorded descriptions of passages' sources: for each, the hashes that `citedAs` gave at the time. */
export type RecordedSources = ReadonlyMap<string, ReadonlySet<string>>

/** The sources that steps read, from the log. */
export async function recordedSources(events: AsyncIterable<RunEvent>): Promise<RecordedSources> {
  const found = new Map<string, Set<string>>()
  for await (const { type, output } of events) {
    if (type !== 'step.done') continue
    for (const [id, hash] of sourcesIn(output))
      found.set(id, (found.get(id) ?? new Set()).add(hash))
  }
  return found
}

function* sourcesIn(value: Json | undefined): Generator<readonly [sourceId: string, hash: string]> {
  if (value === null || typeof value !== 'object') return
  if (
    isJsonObject(value) &&
    typeof value.sourceId === 'string' &&
    typeof value.citedAs === 'string'
  )
    yield [value.sourceId, value.citedAs]
  for (const member of Object.values(value)) yield* sourcesIn(member)
}

/** The texts of passages in a value, as tools return them. */
function* textsIn(value: Json | undefined): Generator<readonly [PassageId, string]> {
  if (value === null || typeof value !== 'object') return
  if (
    isJsonObject(value) &&
    typeof value.passageId === 'string' &&
    typeof value.text === 'string'
  ) {
    const { sourceId, start, end, text } = value
    const id = passageId(String(sourceId) as SourceId, Number(start), Number(end))
    if (id === value.passageId) yield [id, text]
  }
  for (const member of Object.values(value)) yield* textsIn(member)
}

/** The texts of a step that requested passages by id and got one text for each. */
function collectTexts(
  input: Json | undefined,
  output: Json | undefined,
): readonly (readonly [PassageId, string])[] {
  const ids = isJsonObject(input) ? input.passages : undefined
  if (!Array.isArray(ids) || !Array.isArray(output) || ids.length !== output.length) return []
  return output.flatMap((text, index) =>
    typeof text === 'string' && text !== '' ? [[ids[index] as PassageId, text] as const] : [],
  )
}
