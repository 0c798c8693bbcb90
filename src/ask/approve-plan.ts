import * as z from 'zod'
import type { PlannerOutput } from '../citations/role-requests.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { parseNeeds, stepsSchema, toPlannerOutput } from './plan.ts'
import { respond, withinBoundary } from './roles.ts'
import { type AskPatch, type AskState, mergePatches } from './state.ts'

/** What a person who reviews the plan is shown. */
export type PlanPrompt = PlannerOutput & {
  readonly kind: 'plan'
  readonly question: string
  /** Why the last answer could not be used. */
  readonly problem?: string
}

const unclearText = 'unclear answer: say yes or no, or describe in a sentence what should change'

/** The text of an answer whose plan a person rejected. */
const planRefusedText = 'The plan was not approved.'

/**
 * The node in which a person reviews the plan: approves it, rejects it, provides another one as an object with
 * `research_steps`, `expert_steps` and `needs`, or says in words what the planner has to change. An unclear or too
 * short reply is asked for again.
 */
export function approvalNode() {
  return (state: AskState, context: RunContext): Promise<AskPatch> =>
    withinBoundary('approval', context, async () => {
      const asked = {
        kind: 'plan',
        question: state.question.text,
        ...toPlannerOutput(state.plan),
      } as const
      let problem: string | undefined
      for (let round = 1; ; round++) {
        const prompt: PlanPrompt = { ...asked, ...(problem === undefined ? {} : { problem }) }
        const given = await context.ask(`plan[${round}]`, prompt as unknown as Json)
        const read = parseReply(given, state.plan.wishes)
        if (!('problem' in read))
          return mergePatches(read.patch, respond(context, 'approval', null, read.text))
        problem = read.problem
      }
    })
}

type ParsedReply =
  | { readonly patch: AskPatch; readonly text: string }
  | { readonly problem: string }

function parseReply(answer: Json, wishes: readonly string[]): ParsedReply {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer))
    return parseEditedPlan(answer as JsonObject)
  const text = typeof answer === 'string' ? answer.trim() : ''
  if (text.startsWith('{')) return parseWrittenPlan(text)
  const said = classifyReply(text)
  if (said === 'yes') return { patch: {}, text: 'approve' }
  if (said === 'no') return { patch: refusalPatch, text: 'refuse' }
  if (text === '') return { problem: 'the answer is empty' }
  if (said === 'unclear') return { problem: unclearText }
  const plan = { decision: 'reject', feedback: text, wishes: [...wishes, text] } as const
  return { patch: { plan }, text }
}

const refusalPatch: AskPatch = {
  control: { ending: 'plan_refused' },
  answer: { text: planRefusedText, reasoning: planRefusedText },
}

const editedSchema = z
  .strictObject({
    research_steps: stepsSchema,
    expert_steps: stepsSchema.min(1),
    needs: z.array(z.array(z.number().int())),
  })
  .partial()

function parseWrittenPlan(text: string): ParsedReply {
  try {
    return parseEditedPlan(JSON.parse(text) as JsonObject)
  } catch (error) {
    return { problem: `it is not JSON: ${(error as Error).message}` }
  }
}

/** Steps that are left out stay as planned. */
function parseEditedPlan(answer: JsonObject): ParsedReply {
  const parsed = editedSchema.safeParse(answer)
  if (!parsed.success) return { problem: z.prettifyError(parsed.error) }
  const { research_steps: researchSteps, expert_steps: expertSteps, needs } = parsed.data
  if (researchSteps === undefined && needs !== undefined)
    return { problem: '"needs" was given without "research_steps"' }
  const read = parseNeeds(needs ?? [], researchSteps?.length ?? 0)
  if ('problem' in read) return { problem: read.problem }
  const plan = {
    ...(researchSteps === undefined ? {} : { researchSteps, needs: read.needs }),
    ...(expertSteps === undefined ? {} : { expertSteps }),
  }
  return { patch: { plan }, text: JSON.stringify(answer) }
}

/** The meaning of a person's reply: approval, rejection, a requested change, or unclear. */
type ReplyKind = 'yes' | 'no' | 'change' | 'unclear'

const toWordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const assentWords = toWordSet(
  'y yes yep yeah yup sure ok okay k fine good great perfect right alright correct approve approved agree agreed accept accepted go ahead proceed continue start do it lgtm looks',
)
const refusalWords = toWordSet(
  'n no nope nah never refuse refused reject rejected decline declined deny denied cancel cancelled stop abort quit',
)
/** Words of politeness, which change nothing. */
const politeWords = toWordSet(
  'please thanks thank you very much so i we all is that this the plan to me for us',
)
/** A reply that says what to change has at least this many words, or characters in a script without spaces. */
const minWords = 3
/** Of these, words other than yes and no. */
const minOtherWords = 2
const minCharacters = 4
const unspacedScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

/** Reads the words of a person. */
function classifyReply(text: string): ReplyKind {
  const all = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []
  const words = all.filter((word) => !politeWords.has(word))
  const isEach = (set: ReadonlySet<string>) => words.length > 0 && words.every((w) => set.has(w))
  if (isEach(assentWords)) return text.includes('?') ? 'unclear' : 'yes'
  if (isEach(refusalWords)) return text.includes('?') ? 'unclear' : 'no'
  const others = words.filter((word) => !assentWords.has(word) && !refusalWords.has(word))
  const isOrder =
    (words.length >= minWords && others.length >= minOtherWords) ||
    (text.match(unspacedScripts) ?? []).length >= minCharacters
  return isOrder ? 'change' : 'unclear'
}
