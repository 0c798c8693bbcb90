import { foldState } from '../../graph/fold-state.ts'
import { replace } from '../../graph/graph.ts'
import { toFailure } from '../../kernel/errors.ts'
import { canonicalJson, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { isOfState, type StateEvent, stillCounting } from '../../kernel/run/rewind.ts'
import { maxLookups } from '../../observe/bundle/limits.ts'
import type { RebuiltResult } from '../../observe/bundle/result-check.ts'
import { isObject } from '../../observe/bundle/run-facts.ts'
import { createResult } from '../../papers/finalize.ts'
import { initialPatch, type PapersInput } from '../../papers/input.ts'
import { channels, type PapersState } from '../../papers/state.ts'

/** The result of a run of papers as the state says it in which its last node found it; by the code that the workflow runs. */
export async function rebuildPapersResult(
  events: AsyncIterable<RunEvent>,
  result: JsonObject,
): Promise<RebuiltResult> {
  const { input, ends, passed, isBuiltIn } = await readEnds(events)
  const last = ends.at(-1)
  if (last === undefined || !/^papers\/finalize\[\d+\]$/.test(last.key)) return unmade(result)
  try {
    // How fields of nodes of an app's own change is not known here: nothing of the pipeline's rests on them.
    const state = foldState(channels, initialPatch(input), ends.slice(0, -1), replace<Json>(null))
    if (isTooMuch(state))
      return { recorded: {}, judged: {}, problems: [], open: 'it would take too long' }
    const drawn = createResult(state, passed, isBuiltIn) as unknown as JsonObject
    const { question = '', category = '', papers = [], analyses = [], more: _, ...judged } = drawn
    const made = isObject(last.output) ? last.output.result : undefined
    return {
      recorded: { question, category, papers, analyses },
      judged,
      problems: [
        ...(isObject(made) ? partings(made, result) : ['the node that made it gave no result.']),
        ...otherPapers(papers, result.papers),
      ],
    }
  } catch (error) {
    return nothing(`the state that it rests on is unsound: ${toFailure(error).message}`)
  }
}

/** Whether drawing would take minutes, as no result of a run does: each paper is looked up among all. */
function isTooMuch({ papers, analyses, kept, citations, unread, dropped }: PapersState): boolean {
  const lists = [papers, analyses, kept, citations, unread, dropped]
  return papers.length * lists.reduce((sum, { length }) => sum + length, 0) > maxLookups
}

interface Ends {
  readonly input: PapersInput
  /** The ends of nodes, and forks, that still count. */
  readonly ends: readonly StateEvent[]
  /** What limits were passed, in words. */
  readonly passed: string | undefined
  readonly isBuiltIn: boolean
}

async function readEnds(events: AsyncIterable<RunEvent>): Promise<Ends> {
  let input: PapersInput = { query: '' }
  let ends: StateEvent[] = []
  let notices: RunEvent[] = []
  let models: JsonObject = {}
  for await (const event of events) {
    const { type, output, key } = event
    const configuration = 'configuration' in event.data ? event.data.configuration : undefined
    if (type === 'run.started' && isObject(output)) input = output as unknown as PapersInput
    if (isObject(configuration) && isObject(configuration.models)) models = configuration.models
    ends = stillCounting(ends, event)
    notices = stillCounting(notices, event)
    if (isOfState(event)) ends.push(event)
    else if (/^papers\/finalize\[\d+\]\/final\/limits$/.test(key)) notices.push(event)
  }
  const passed = notices.findLast((event) => event.type === 'notice')?.data.text
  return { input, ends, passed, isBuiltIn: models.synthesizer === 'extractive' }
}

/** Where a result parts from the one that its node gave. */
function partings(made: JsonObject, result: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(made), ...Object.keys(result)])]
    .filter((name) => canonicalJson(made[name] ?? null) !== canonicalJson(result[name] ?? null))
    .map((name) => `its ${name} is not what the node gave that made it.`)
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

/** Where papers part from those that the log gives. */
function otherPapers(drawn: Json, said: Json | undefined): readonly string[] {
  const [there, here] = [drawn, said].map((list) => (Array.isArray(list) ? list : []))
  return (there ?? []).flatMap((paper, index) => {
    const told = here?.[index]
    if (!isObject(paper) || !isObject(told)) return [`its paper ${index + 1} is none.`]
    return plainFields
      .filter((name) => canonicalJson(paper[name] ?? null) !== canonicalJson(told[name] ?? null))
      .map((name) => `the ${name} of its paper ${index + 1} is not what the log gives.`)
  })
}

/** A run that failed outside of its nodes has the failure in its result alone. */
function unmade({ status }: JsonObject): RebuiltResult {
  if (status !== 'failed') return nothing('the log does not have the end of the node that made it.')
  const open = 'the run failed outside of its nodes'
  return { recorded: {}, judged: {}, problems: [], open }
}

function nothing(problem: string): RebuiltResult {
  return { recorded: {} as { [name: string]: Json }, judged: {}, problems: [problem] }
}
