import type { PassageReference } from '../../citations/claim.ts'
import { type PassageId, passageId, type SourceId } from '../../citations/source.ts'
import { type Hash, isJsonObject, type Json, sha256 } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { holdsReplacement } from './path-names.ts'

/** The hashes of the texts that steps of a run read at a passage's place. */
export type RecordedTexts = ReadonlyMap<PassageId, ReadonlySet<Hash>>

/** What a secret stands as in a log. */
const replacedSecret = '[secret]'

/**
 * What steps read of these passages, by the log. @param replaced what stands in the log in place of something: a text with one
 * of these is not the source's any more, and left out
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

/** As what steps of a run read the sources of passages: for each the hashes that `citedAs` gave then. */
export type RecordedSources = ReadonlyMap<string, ReadonlySet<string>>

/** The sources that steps read, by the log. */
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

/** The texts of passages that a value shows, as tools give them. */
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

/** The texts of a step that asked for passages by their ids and got one text for each. */
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
