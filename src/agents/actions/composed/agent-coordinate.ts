import * as z from 'zod'
import { isJsonObject, type JsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { findJson, parseJsonObject } from '../../../kernel/text/json-from-text.ts'
import type { ActionCall, ComposedAction } from '../action.ts'
import {
  type AgentAnswer,
  askAgent,
  askingParams,
  findAgent,
  findAgents,
  type NamedAgent,
  pickAskingParams,
  runConcurrently,
} from './ask-agent.ts'
import { defineComposedAction, failedResult, toText } from './composed-action.ts'
import type { Providers } from './model-choice.ts'

const params = z
  .strictObject({
    leader: z
      .string()
      .nullish()
      .describe('The agent that splits the task and combines the results.'),
    coordinator: z.string().nullish().describe('Same as leader.'),
    workers: z.array(z.string()).min(1).describe('The agents that do the parts.'),
    task: z.string().nullish().describe('The task.'),
    request: z.string().nullish().describe('Same as task.'),
    coordinator_instructions: z
      .string()
      .nullish()
      .describe('How the leader should split the task.'),
    synthesis_instructions: z
      .string()
      .nullish()
      .describe('How the leader should combine the results.'),
    validation_prompt: z
      .string()
      .nullish()
      .describe(
        'Criteria for the results; if the leader finds that they do not meet them, there is another round.',
      ),
    max_rounds: z.int().min(1).max(100).nullish().describe('Maximum number of rounds. Default 3.'),
    parallel_workers: z
      .boolean()
      .nullish()
      .describe('Whether the workers run in parallel. Default true.'),
    ...askingParams,
  })
  .refine(({ leader, coordinator }) => Boolean(leader ?? coordinator), {
    error: 'give a leader',
    path: ['leader'],
  })
  .refine(({ task, request }) => Boolean(task ?? request), { error: 'give a task', path: ['task'] })

type CoordinateParams = z.output<typeof params>

/** `agent.coordinate`. */
export function coordinateAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'agent.coordinate',
    description: 'A leader splits a task among workers, combines their results and checks them.',
    params,
    result:
      '{result, response (the same), synthesis (the same), rounds, worker_results: [{round, worker, subtask, response, success}], validated (with a validation_prompt), leader, workers, success}. An unknown leader, no known worker, or no result: {error, success: false}.',
    run: async (given, call) => {
      const leader = findAgent(call, given.leader ?? given.coordinator ?? '')
      if ('error' in leader) return failedResult(leader.error)
      const workers = await findAgents(call, given.workers)
      if (workers.length === 0)
        return failedResult('No valid workers found', { workers_requested: given.workers })
      const asking = { params: pickAskingParams(given), providers }
      const ask: Team['ask'] = (context, agent, task, seen = call) =>
        askAgent(seen, context, agent, task, asking)
      return coordinate(given, call, { leader, workers, ask })
    },
  })
}

interface Team {
  readonly leader: NamedAgent
  readonly workers: readonly NamedAgent[]
  ask(context: RunContext, agent: NamedAgent, task: string, seen?: ActionCall): Promise<AgentAnswer>
}

async function coordinate(
  given: CoordinateParams,
  call: ActionCall,
  team: Team,
): Promise<JsonObject> {
  const { leader, workers } = team
  const facts = { leader: leader.name, workers: workers.map(({ name }) => name), elapsed_ms: 0 }
  const results: JsonObject[] = []
  let best: LeadVerdict | undefined
  let feedback = ''
  const most = given.max_rounds ?? 3
  let round = 0
  while (round < most && best?.isApproved !== true) {
    round++
    const inRound = call.context.child(`round[${round}]`)
    const done = await runRound(given, { ...call, context: inRound }, team, feedback)
    results.push(...done.map((result) => ({ round, ...result })))
    const answers = done.filter(({ success }) => success)
    if (answers.length === 0) continue
    const judged = await judge(given, inRound, team, answers)
    if (judged === undefined) continue
    best = judged
    feedback = judged.feedback
  }
  const all = { rounds: round, worker_results: results, ...facts }
  if (best === undefined)
    return failedResult('The team produced no result.', { result: null, ...all })
  const { result } = best
  const validated = given.validation_prompt ? { validated: best.isApproved } : {}
  return { result, response: result, synthesis: result, ...all, ...validated, success: true }
}

type WorkerResult = JsonObject & { readonly success: boolean }

/** The leader splits the task and the workers do the parts. Results are in the workers' order. */
async function runRound(
  given: CoordinateParams,
  call: ActionCall,
  { leader, workers, ask }: Team,
  feedback: string,
): Promise<readonly WorkerResult[]> {
  const { context } = call
  const task = renderWorkerTask(given)
  const split = await ask(context.child('split'), leader, splitPrompt(given, workers, feedback))
  const parts = split.success ? parseParts(String(split.response)) : []
  const limit = given.parallel_workers === false ? 1 : workers.length
  return runConcurrently(context, 'worker', workers, limit, async (worker, inside, index) => {
    const subtask = parts[index] ?? parts.at(-1) ?? task
    const { response = '', success, error } = await ask(inside, worker, subtask, call)
    const failure = error === undefined ? {} : { error }
    return { worker: worker.name, subtask, response, success, ...failure }
  })
}

interface LeadVerdict {
  readonly result: string
  readonly isApproved: boolean
  readonly feedback: string
}

/** The leader combines the results and, if asked, judges whether they are acceptable. */
async function judge(
  given: CoordinateParams,
  context: RunContext,
  { leader, ask }: Team,
  answers: readonly WorkerResult[],
): Promise<LeadVerdict | undefined> {
  const prompt = joinPrompt(given, answers)
  const joined = await ask(context.child('join'), leader, prompt)
  if (!joined.success) return undefined
  const said = String(joined.response)
  const plain = { result: said, isApproved: true, feedback: '' }
  if (!given.validation_prompt) return plain
  const read = parseJsonObject(said, ['approved', 'result'])
  if (!read.ok) return plain
  const { approved, result = '', feedback = '' } = read.value
  return { result: toText(result), isApproved: approved !== false, feedback: toText(feedback) }
}

function renderWorkerTask({ task, request }: CoordinateParams): string {
  return task ?? request ?? ''
}

function splitPrompt(
  given: CoordinateParams,
  workers: readonly NamedAgent[],
  feedback: string,
): string {
  const names = workers.map(({ name }) => name).join(', ')
  const parts = [
    `Split this task into ${workers.length} subtasks, one for each worker, in this order: ${names}.`,
    ...(given.coordinator_instructions ? [given.coordinator_instructions] : []),
    `<task>\n${renderWorkerTask(given)}\n</task>`,
    ...(feedback === ''
      ? []
      : [`The last round was not good enough:\n<feedback>\n${feedback}\n</feedback>`]),
    'Answer with a JSON array of texts and nothing else: ["subtask 1", "subtask 2"].',
  ]
  return parts.join('\n\n')
}

function joinPrompt(given: CoordinateParams, answers: readonly WorkerResult[]): string {
  const results = answers.map(
    ({ worker, subtask, response }) =>
      `<result worker="${worker}">\n<subtask>\n${subtask}\n</subtask>\n${response}\n</result>`,
  )
  const form =
    'Answer with one JSON object and nothing else: {"approved": whether the result holds, "result": "the whole result", "feedback": "what has to be done again, where it does not hold"}.'
  const parts = [
    'Put the results of the workers together into the final result of the task.',
    ...(given.synthesis_instructions ? [given.synthesis_instructions] : []),
    `<task>\n${renderWorkerTask(given)}\n</task>`,
    results.join('\n'),
    ...(given.validation_prompt ? [`Check it: ${given.validation_prompt}`, form] : []),
  ]
  return parts.join('\n\n')
}

/** The subtasks in a leader's answer: a list of texts, either alone or as a member of an object. */
function parseParts(text: string): readonly string[] {
  const values = findJson(text).map(({ value }) => value)
  const inside = values.flatMap((value) => (isJsonObject(value) ? Object.values(value) : []))
  const list = [...values, ...inside].find((value) => Array.isArray(value))
  if (!Array.isArray(list)) return []
  return list.map((part) =>
    isJsonObject(part)
      ? toText(part.subtask ?? part.task ?? part.description ?? part)
      : toText(part),
  )
}
