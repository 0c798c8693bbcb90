import * as z from 'zod'
import type { SynthesizerOutput } from '../citations/papers-role-input.ts'
import type { Patch } from '../graph/graph.ts'
import { type Failure, ScholiumError } from '../kernel/errors.ts'
import { leavesNoShare } from '../kernel/limits/limit-reached.ts'
import { withLimits } from '../kernel/limits/with-limits.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { openConversation } from '../team/conversation.ts'
import { cutGaps, type Gap } from '../team/gap.ts'
import { attempted, isLimitOf } from './branches.ts'
import { finalShare, roomForPapers } from './final-share.ts'
import { normalizeObjects, textSchema, textsSchema } from './normalize.ts'
import type { PapersParts } from './parts.ts'
import { mostShownBytes, shownPapers } from './shown-papers.ts'
import { keptPapers, type PapersState } from './state.ts'
import { gapOfWords } from './words-of-query.ts'

/** How long the synthesizer may take, with all attempts. */
const stageMs = 90_000

/** A quotation without its paper says nothing. */
const quoteSchema = z.preprocess(
  (value) => (typeof value === 'object' ? value : { paper: '', quote: value }),
  z.object({ paper: textSchema.default(''), quote: textSchema.default('') }),
)
const support = {
  papers: textsSchema.default([]),
  quotes: z.preprocess(normalizeObjects, z.array(quoteSchema)).default([]),
}

/** A list of objects, in which a bare text is an object with that text alone. */
function listOf<Entry extends z.ZodType>(field: string, entry: Entry) {
  const normalized = (value: unknown) =>
    normalizeObjects(value).map((one) => (typeof one === 'string' ? { [field]: one } : one))
  return z.preprocess(normalized, z.array(entry)).default([])
}

const sideSchema = z.preprocess(
  (value) => (typeof value === 'string' ? { says: value } : (value ?? {})),
  z.object({ says: textSchema.default(''), ...support }),
)

const draftSchema = z.object({
  consensus: listOf('point', z.object({ point: textSchema.default(''), ...support })),
  contradictions: listOf(
    'description',
    z.object({
      description: textSchema.default(''),
      context: textSchema.default(''),
      a: sideSchema.default({ says: '', papers: [], quotes: [] }),
      b: sideSchema.default({ says: '', papers: [], quotes: [] }),
    }),
  ),
  gaps: listOf('text', z.object({ text: textSchema.default(''), ...support })),
  summary: textSchema,
})

/**
 * The synthesizer: what the kept papers say together. It gets their findings and no page, within a share that was set aside for it;
 * where it fails, code composes what holds. Papers without a word of the query are no matter for an engine that goes by words.
 */
export function synthesizeNode(parts: PapersParts) {
  return async (state: PapersState, node: RunContext): Promise<Patch<PapersState>> => {
    if (state.limit !== null && leavesNoShare(state.limit)) return {}
    const context = node.child('final', { share: finalShare })
    const written = await attempted(async () => {
      const gap = await gapOf(parts, state, context)
      if (gap?.kind === 'no_evidence') return { gaps: [gap] }
      const { draft, gaps } = await write(parts, state, context)
      return { draft, gaps: gap === undefined ? gaps : [gap, ...gaps] }
    })
    return written.ok ? written.value : failedPatch(written.failure, context)
  }
}

/** A language model knows what is said in other words, so that its synthesis is not judged by the words of the query. */
async function gapOf(
  parts: PapersParts,
  state: PapersState,
  context: RunContext,
): Promise<Gap | undefined> {
  const isBuiltIn = context.services.models.forRole('synthesizer').effect === 'pure'
  return isBuiltIn ? gapOfWords(parts, state, keptPapers(state), context) : undefined
}

async function write(
  { prompts }: PapersParts,
  state: PapersState,
  context: RunContext,
): Promise<{ readonly draft: SynthesizerOutput; readonly gaps: readonly Gap[] }> {
  const { query } = state
  const room = await roomForPapers(context, mostShownBytes)
  const { papers, leftOut, isEmpty } = shownPapers(keptPapers(state), room)
  const lost = `For want of room ${findings(leftOut)} left out.`
  if (leftOut > 0) await context.notice('shown', 'warning', lost)
  const isCut = leftOut > 0 && room < mostShownBytes
  if (isCut && isEmpty) throw noRoom()
  const values = {
    question: JSON.stringify(query),
    papers: papers.map((paper) => JSON.stringify(paper)).join('\n'),
  }
  const stage = await withLimits(context, 'synthesizer', { maxWallMs: stageMs })
  const instruction = `Compare the ${papers.length} papers.`
  const messages = openConversation(stage, prompts.synthesizer, values, instruction)
  const roleInput = { question: query, papers }
  const model = stage.services.models.forRole('synthesizer')
  const request = { messages, roleInput }
  const drafted = await callModelForObject(stage, 'model', model, request, draftSchema)
  const gaps: readonly Gap[] = isCut ? [{ kind: 'limit', detail: lost }] : []
  return { draft: drafted.value, gaps: [...gaps, ...cutGaps(drafted.isCut, 'The synthesis')] }
}

function noRoom(): ScholiumError {
  const message = 'The limits leave no room for any finding of the papers: they were not compared.'
  const hint = 'Allow more with --max-tokens or --max-cost-usd.'
  return new ScholiumError('limit_reached', message, { hint })
}

function findings(count: number): string {
  return `${count === 1 ? '1 finding' : `${count} findings`} of the papers ${count === 1 ? 'was' : 'were'}`
}

async function failedPatch(failure: Failure, context: RunContext): Promise<Patch<PapersState>> {
  const isLimit = isLimitOf(failure, context)
  const isLate = failure.code === 'limit_reached' && !isLimit
  const message = isLate
    ? `The synthesis took longer than ${stageMs / 1000} seconds.`
    : failure.message
  if (isLimit)
    return { limit: failure, errors: [message], gaps: [{ kind: 'limit', detail: message }] }
  await context.notice('failed', 'error', `synthesizer: ${message}`)
  return {
    error: { ...failure, message },
    errors: [`synthesizer: ${message}`],
    gaps: [{ kind: 'error', detail: `synthesizer: ${message}` }],
  }
}
