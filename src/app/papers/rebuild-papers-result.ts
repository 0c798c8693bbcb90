import { foldState } from '../../graph/fold-state.ts'
import { replace } from '../../graph/graph.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { maxLookups } from '../../observe/bundle/limits.ts'
import type { RebuiltResult } from '../../observe/bundle/result-check.ts'
import { createResult } from '../../papers/finalize.ts'
import { initialPatch, type PapersInput } from '../../papers/input.ts'
import { channels, type PapersState } from '../../papers/state.ts'
import {
  differencesFromNode,
  isSame,
  openResult,
  readEnds,
  rebuildSafely,
  unmadeResult,
} from '../runs/rebuild-result.ts'

/** The result of a run of papers as the state says it in which its last node found it; by the code that the workflow runs. */
export async function rebuildPapersResult(
  events: AsyncIterable<RunEvent>,
  result: JsonObject,
): Promise<RebuiltResult> {
  const read = await readEnds(events, ({ key }) => noticePlace.test(key))
  const { input = { query: '' }, ends, others, models } = read
  const passed = others.findLast((event) => event.type === 'notice')?.data.text
  const last = ends.at(-1)
  if (last === undefined || !lastNode.test(last.key)) return unmadeResult(result)
  return rebuildSafely(() => {
    // How fields of nodes of an app's own change is not known here: nothing of the pipeline's rests on them.
    const state = foldState(
      channels,
      initialPatch(input as PapersInput),
      ends.slice(0, -1),
      replace<Json>(null),
    )
    if (isTooMuch(state)) return openResult('it would take too long')
    const drawn = createResult(state, passed, models.synthesizer === 'extractive')
    const { question = '', category = '', papers = [], analyses = [], more: _, ...judged } = drawn
    const made = isJsonObject(last.output) ? last.output.result : undefined
    return {
      recorded: { question, category, papers, analyses },
      judged,
      problems: [
        ...differencesFromNode(made, result),
        ...differencesOfPapers(papers, result.papers),
      ],
    }
  })
}

const lastNode = /^papers\/finalize\[\d+\]$/
const noticePlace = /^papers\/finalize\[\d+\]\/final\/limits$/

/** Whether rebuilding would take minutes, as no result of a run does: each paper is looked up among all. */
function isTooMuch({ papers, analyses, kept, citations, unread, dropped }: PapersState): boolean {
  const lists = [papers, analyses, kept, citations, unread, dropped]
  return papers.length * lists.reduce((sum, { length }) => sum + length, 0) > maxLookups
}

/** What of a paper holds no path, which a bundle may have replaced. */
const plainFields = [
  'id',
  'n',
  'title',
  'authors',
  'published',
  'categories',
  'status',
  'confidence',
  'pageCount',
  'chunkCount',
  'referenceCount',
] as const

/** Where papers differ from those that the log gives. */
function differencesOfPapers(drawn: Json, said: Json | undefined): readonly string[] {
  const [there, here] = [drawn, said].map((list) => (Array.isArray(list) ? list : []))
  return (there ?? []).flatMap((paper, index) => {
    const told = here?.[index]
    if (!isJsonObject(paper) || !isJsonObject(told))
      return [`its paper ${index + 1} is not a paper.`]
    return plainFields
      .filter((name) => !isSame(paper[name], told[name]))
      .map((name) => `the ${name} of its paper ${index + 1} does not match the log.`)
  })
}
