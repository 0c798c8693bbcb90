import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import { noticeOfModel } from '../../../kernel/model/model-notice.ts'
import {
  type CallSettings,
  type CotResult,
  chainOfThought,
  type DecomposeResult,
  decompose,
  type ReactResult,
  type ReasoningTrace,
  react,
  type SelfCorrectResult,
  selfCorrect,
  toHistoryFromInitial,
  toNdjson,
  toTraceList,
  toTraceObject,
} from '../../../reasoning/index.ts'
import type { ActionCall, ComposedAction } from '../action.ts'
import { findTools, taintByCalls } from './agent-tools.ts'
import { defineComposedAction, failedResult, orFailedResult } from './composed-action.ts'
import { applyLlmSettings, nameModel, type Providers } from './model-choice.ts'
import { modelParams } from './model-params.ts'

/** `reason.*`: reasoning techniques that take several calls. */
export function reasonActions(providers: Providers): readonly ComposedAction[] {
  return [
    cotAction(providers),
    reactAction(providers),
    selfCorrectAction(providers),
    decomposeAction(providers),
  ]
}

/** `reason.cot`. */
function cotAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'reason.cot',
    description: 'Reasons about a problem before answering.',
    needs: 'reasoning',
    params: z.strictObject({
      problem: z.string().describe('The problem.'),
      thinking_format: z
        .string()
        .nullish()
        .describe(
          'step_by_step, pros_cons, tree or first_principles; any other value means step_by_step.',
        ),
      few_shot_examples: z
        .array(
          z.strictObject({
            problem: z.string(),
            thinking: z.string().optional(),
            answer: z.json(),
          }),
        )
        .nullish()
        .describe('Solved example problems.'),
      ...reasonParams,
    }),
    result: `{thinking, answer, thinking_format, reasoning_thinking, ${reasonResult}`,
    run: (given, call) =>
      runThinking(call, given, async (context) => {
        const result = await chainOfThought(context, {
          problem: given.problem,
          thinkingFormat: given.thinking_format ?? 'step_by_step',
          fewShotExamples: (given.few_shot_examples ?? []) as [],
          ...findModel(call, given, providers),
        })
        return { result: cotResult(result), trace: result.trace }
      }),
  })
}

function cotResult({
  thinking: thought,
  answer,
  model: name,
  thinkingFormat,
}: CotResult): JsonObject {
  return {
    thinking: thought,
    answer,
    model: name,
    thinking_format: thinkingFormat,
    reasoning_thinking: thought,
    reasoning_answer: answer,
  }
}

/** `reason.react`. */
function reactAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'reason.react',
    description: 'Works towards a goal in steps: think, call a tool, read its result, repeat.',
    needs: 'reasoning',
    params: z.strictObject({
      goal: z.string().describe('The goal.'),
      tools: z
        .array(z.string())
        .nullish()
        .describe('Single-effect actions that may be called, such as web.search.'),
      max_steps: z
        .int()
        .min(0)
        .nullish()
        .describe('Maximum number of model calls; 0 makes none. Default 10.'),
      ...reasonParams,
    }),
    result: `{steps: [{step, thought, action, action_input, observation}], react_steps (the same), final_answer, total_steps, warning and max_steps_reached if the steps ran out, ${reasonResult}`,
    run: async (given, call) => {
      const found = findTools(given.tools ?? [], call.actions)
      if (!found.ok) return failedResult(found.error)
      return runThinking(call, given, async (context) => {
        const result = await react(context, {
          goal: given.goal,
          tools: found.tools,
          isTainted: call.isTainted,
          allow: call.scope.allow,
          maxSteps: given.max_steps ?? 10,
          ...findModel(call, given, providers),
        })
        taintByCalls(
          call,
          found.tools,
          result.steps.map(({ action }) => action),
        )
        return { result: reactResult(result), trace: result.trace }
      })
    },
  })
}

function reactResult(result: ReactResult): JsonObject {
  const steps = result.steps.map(({ step, thought, action, actionInput, observation }) => ({
    step,
    thought,
    action,
    action_input: actionInput,
    observation,
  }))
  const { warning } = result
  return {
    steps,
    react_steps: steps,
    final_answer: result.finalAnswer,
    reasoning_answer: result.finalAnswer,
    total_steps: result.totalSteps,
    model: result.model,
    ...(warning === undefined ? {} : { warning, max_steps_reached: true }),
  }
}

/** `reason.self_correct`. */
function selfCorrectAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'reason.self_correct',
    description: 'Performs a task, criticises the output and improves it.',
    needs: 'reasoning',
    lateParams: ['critic_prompt'],
    params: z.strictObject({
      task: z.string().describe('The task.'),
      improvement_rounds: z
        .int()
        .min(0)
        .nullish()
        .describe('Rounds of critique and improvement. Default 2.'),
      generator_model: z.string().nullish().describe('The model that writes. Default: model.'),
      critic_model: z
        .string()
        .nullish()
        .describe(
          'The model that criticises. Default: the model that writes, otherwise the model of the role critic.',
        ),
      critic_prompt: z
        .string()
        .nullish()
        .describe('What the critic should check; {{ output }} is replaced by the output.'),
      ...reasonParams,
    }),
    result: `{output, final_output (the same), improvement_history: [{round, output, critique, improved, issues_found, suggestions, improvement_score}], improvement_history_list: [{round: 0, type: initial, output}, {round, type: improvement, issues_found, suggestions, output, improvement_score}], rounds_completed, generator_model, critic_model, ${reasonResult}`,
    run: (given, call) =>
      runThinking(call, given, async (context) => {
        const { model: generator, ...settings } = findModel(
          call,
          { ...given, model: given.generator_model ?? given.model },
          providers,
        )
        const critic = given.critic_model
          ? findModel(call, { ...given, model: given.critic_model }, providers).model
          : undefined
        const names = { output: 'the output that you are shown' }
        const result = await selfCorrect(context, {
          task: given.task,
          improvementRounds: given.improvement_rounds ?? 2,
          ...settings,
          ...(generator === undefined ? {} : { generatorModel: generator }),
          ...(critic === undefined ? {} : { criticModel: critic }),
          ...(given.critic_prompt
            ? { criticPrompt: String(call.render(given.critic_prompt, names)) }
            : {}),
        })
        return { result: selfCorrectResult(result), trace: result.trace }
      }),
  })
}

function selfCorrectResult(result: SelfCorrectResult): JsonObject {
  return {
    output: result.output,
    final_output: result.finalOutput,
    reasoning_answer: result.output,
    improvement_history: result.improvementHistory.map(
      ({ round, output, critique, improved, issuesFound, suggestions, improvementScore }) => ({
        round,
        output,
        critique,
        improved,
        issues_found: issuesFound,
        suggestions,
        improvement_score: improvementScore,
      }),
    ),
    improvement_history_list: toHistoryFromInitial(result),
    rounds_completed: result.roundsCompleted,
    generator_model: result.generatorModel,
    critic_model: result.criticModel,
    model: result.generatorModel,
  }
}

/** `reason.decompose`. */
function decomposeAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'reason.decompose',
    description:
      'Splits a problem into parts, solves them (independent ones in parallel) and combines the answers.',
    needs: 'reasoning',
    lateParams: ['synthesis_prompt'],
    params: z.strictObject({
      problem: z.string().describe('The problem.'),
      max_depth: z.int().min(0).nullish().describe('Maximum depth of splitting. Default 2.'),
      synthesis_prompt: z
        .string()
        .nullish()
        .describe('How to combine the answers; {{ sub_answers }} is replaced by them.'),
      ...reasonParams,
    }),
    result: `{sub_problems: [{id, description, depends_on, dependencies}], sub_answers: [{id, description, reasoning, answer, confidence}], final_answer, synthesis_reasoning, depth_used, ${reasonResult}`,
    run: (given, call) =>
      runThinking(call, given, async (context) => {
        const names = { sub_answers: 'the answers that you are shown' }
        const result = await decompose(context, {
          problem: given.problem,
          maxDepth: given.max_depth ?? 2,
          ...findModel(call, given, providers),
          ...(given.synthesis_prompt
            ? { synthesisPrompt: String(call.render(given.synthesis_prompt, names)) }
            : {}),
        })
        return { result: decomposeResult(result), trace: result.trace }
      }),
  })
}

function decomposeResult(result: DecomposeResult): JsonObject {
  return {
    sub_problems: result.subProblems.map(({ id, description, dependsOn }) => ({
      id,
      description,
      depends_on: dependsOn,
      dependencies: dependsOn,
    })),
    sub_answers: result.subAnswers.map(subAnswer),
    final_answer: result.finalAnswer,
    reasoning_answer: result.finalAnswer,
    synthesis_reasoning: result.synthesisReasoning,
    depth_used: result.depthUsed,
    model: result.model,
  }
}

function subAnswer({ subAnswers, ...answer }: DecomposeResult['subAnswers'][number]): JsonObject {
  return {
    ...answer,
    ...(subAnswers === undefined ? {} : { sub_answers: subAnswers.map(subAnswer) }),
  }
}

const { model, provider, deployment, temperature, max_tokens, timeout } = modelParams
/** Parameters of all techniques. */
const reasonParams = {
  model,
  provider,
  deployment,
  temperature,
  max_tokens,
  timeout: timeout.describe(
    "Timeout of one call in seconds. Default: settings.llm.timeout, otherwise the model's setting.",
  ),
  trace_file: z
    .string()
    .nullish()
    .describe('A workspace file for the trace, one JSON line per entry.'),
}
/** Description of what all techniques return. */
const reasonResult =
  'reasoning_trace (list), reasoning_trace_object (the same as one span), reasoning_answer, model. If the model gives nothing usable: {error, success: false}.'

/** Default temperature of the techniques. */
const usualTemperature = 0.7

interface Reasoner extends CallSettings {
  readonly model?: string
  readonly temperature: number
}

/** The model's name and call settings, as the techniques take them. */
function findModel(
  call: ActionCall,
  given: Parameters<typeof applyLlmSettings>[1],
  providers: Providers,
): Reasoner {
  const settings = applyLlmSettings(call, given, providers)
  const name = nameModel(call.context, settings, providers)
  const { temperature: warmth, max_tokens: most, timeout: seconds, max_retries: retries } = settings
  if (retries) reportRetries(call.context)
  return {
    ...(name === undefined ? {} : { model: name }),
    temperature: warmth ?? usualTemperature,
    ...(most ? { maxOutputTokens: most } : {}),
    ...(seconds ? { timeoutMs: seconds * 1_000 } : {}),
  }
}

function reportRetries(context: ActionCall['context']): void {
  const text =
    'settings.llm.max_retries does not apply to reason.*: each call has three attempts. To retry the whole action, give its node retry.'
  noticeOfModel(context, { name: 'settings.llm' }, 'max_retries', text)
}

/** The result of a technique. */
interface Thought {
  readonly result: JsonObject
  readonly trace: ReasoningTrace
}

/**
 * Runs a technique: returns its result with its trace in both forms, and writes the trace to a file if one is named.
 */
async function runThinking(
  call: ActionCall,
  { trace_file: path }: { readonly trace_file?: string | null | undefined },
  work: (context: ActionCall['context']) => Promise<Thought>,
): Promise<Json> {
  return orFailedResult(call.context, async (context) => {
    const { result, trace } = await work(context)
    const written = path ? await writeTrace(call, path, trace) : {}
    return {
      ...result,
      reasoning_trace: toTraceList(trace),
      reasoning_trace_object: toTraceObject(trace),
      ...written,
    }
  })
}

/** Writes the trace to a file under the rules of `file.write`. */
async function writeTrace(
  call: ActionCall,
  path: string,
  trace: ReasoningTrace,
): Promise<JsonObject> {
  const params = { path, content: toNdjson(trace) }
  const written = await call.perform('file.write', params, call.context.child('trace_file'))
  const error = isJsonObject(written) ? written.error : undefined
  return error === undefined ? { trace_file: path } : { trace_file_error: error }
}
