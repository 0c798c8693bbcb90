import type { Claim, PassageReference } from '../../citations/claim.ts'
import type { MintedNumber } from '../../citations/ledger.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { type Check, concluded, Faults } from './check.ts'
import { chunksIn, citedReferences, earlierChunks, hasMatchingId, passagesIn } from './evidence.ts'
import { count, faultIn, shown } from './fault.ts'
import { memberNames } from './form.ts'
import type { RunFacts } from './run-facts.ts'

/**
 * Checks that each number stands for the source for which the log says it was assigned, and that a step of the run read each
 * passage behind it.
 */
export async function checkCitations(
  facts: RunFacts,
  answer: JsonObject,
  claims: readonly Claim[],
  events: AsyncIterable<RunEvent>,
): Promise<Check> {
  const faults = new Faults()
  const { citations } = facts
  const add: Add = (member, text) => faults.add(faultIn(member, text))
  const minted = checkIndex(citations, add)
  for (const item of Array.isArray(answer.citations) ? answer.citations : [])
    checkNumber(minted, item, add)
  const references = citedReferences(facts, claims)
  for (const reference of references) checkReference(minted, reference, add)
  const unread = await neverRead(references, events)
  for (const id of unread)
    add(memberNames.log, `no step read the passage ${shown(id)}, which the answer cites.`)
  return concluded(
    'citations',
    faults,
    `${count(citations.length)} numbers, ${count(references.length)} passages read behind cited numbers`,
  )
}

type Add = (member: string, text: string) => void
type Index = ReadonlyMap<unknown, MintedNumber>

/** The run's citations by number; numbers count from 1, one per source. */
function checkIndex(citations: readonly MintedNumber[], add: Add): Index {
  const sources = new Set<string>()
  for (const [index, { n, sourceId }] of citations.entries()) {
    if (n !== index + 1)
      add(memberNames.log, `the number ${n} was assigned where ${index + 1} was expected.`)
    if (sources.has(sourceId))
      add(memberNames.log, `the number ${n} refers to a source that already has one.`)
    sources.add(sourceId)
  }
  return new Map(citations.map((minted) => [minted.n, minted]))
}

function checkNumber(minted: Index, item: Json, add: Add): void {
  const { n, sourceId, title } = isJsonObject(item) ? item : {}
  const known = minted.get(n)
  if (known !== undefined && known.sourceId === sourceId && known.title === title) return
  add(
    memberNames.answer,
    `the number ${shown(String(n))} was assigned to another source, or to none.`,
  )
}

function checkReference(minted: Index, reference: PassageReference, add: Add): void {
  const { n, sourceId, passageId } = reference
  if (minted.get(n)?.sourceId !== sourceId)
    add(memberNames.log, `the passage ${shown(passageId)} has a number of another source.`)
  if (!hasMatchingId(reference))
    add(memberNames.log, `the passage ${shown(passageId)} is not at the position in its id.`)
}

async function neverRead(
  references: readonly PassageReference[],
  events: AsyncIterable<RunEvent>,
): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>(references.map(({ passageId }) => passageId))
  for await (const { type, output } of events) {
    if (type === 'step.done')
      for (const id of [...passagesIn(output), ...chunksIn(output)]) wanted.delete(id)
    // A continued run's passages were read by the run before it.
    if (type === 'run.started') for (const id of earlierChunks(output)) wanted.delete(id)
    if (wanted.size === 0) break
  }
  return wanted
}
