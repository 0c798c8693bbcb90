import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import {
  type CotResult,
  chainOfThought,
  type DecomposeResult,
  decompose,
  type ReactResult,
  react,
  type SelfCorrectResult,
  selfCorrect,
  toHistoryFromInitial,
} from '../../../reasoning/index.ts'
import type { ComposedAction } from '../action.ts'
import { taintByCalls, toolsNamed } from './agent-tools.ts'
import { composedAction, notDone } from './composed-action.ts'
import type { Providers } from './model-choice.ts'
import { modelNamed, reasonParams, reasonResult, thinking } from './reason-thinking.ts'

/** `reason.*`: techniques that think in several calls. */
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
  return composedAction({
    name: 'reason.cot',
    description: 'Thinks about a problem before it answers.',
    needs: 'reasoning',
    params: z.strictObject({
      problem: z.string().describe('What is asked.'),
      thinking_format: z
        .string()
        .nullish()
        .describe('step_by_step, pros_cons, tree or first_principles; step_by_step for any other.'),
      few_shot_examples: z
        .array(
          z.strictObject({
            problem: z.string(),
            thinking: z.string().optional(),
            answer: z.json(),
          }),
        )
        .nullish()
        .describe('Solved problems that show how to answer.'),
      ...reasonParams,
    }),
    result: `{thinking, answer, thinking_format, reasoning_thinking, ${reasonResult}`,
    run: (given, call) =>
      thinking(call, given, async (context) => {
        const result = await chainOfThought(context, {
          problem: given.problem,
          thinkingFormat: given.thinking_format ?? 'step_by_step',
          fewShotExamples: (given.few_shot_examples ?? []) as [],
          ...modelNamed(call, given, providers),
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
  return composedAction({
    name: 'reason.react',
    description: 'Works towards a goal in steps: thinks, calls a tool, reads what it gives, again.',
    needs: 'reasoning',
    params: z.strictObject({
      goal: z.string().describe('What is to be reached.'),
      tools: z
        .array(z.string())
        .nullish()
        .describe('Actions that may be called: those that are one effect, as web.search.'),
      max_steps: z
        .int()
        .min(0)
        .nullish()
        .describe('Model calls at most; 0 makes none. Default 10.'),
      ...reasonParams,
    }),
    result: `{steps: [{step, thought, action, action_input, observation}], react_steps (the same), final_answer, total_steps, warning and max_steps_reached where the steps ran out, ${reasonResult}`,
    run: async (given, call) => {
      const found = toolsNamed(given.tools ?? [], call.actions)
      if (!found.ok) return notDone(found.error)
      return thinking(call, given, async (context) => {
        const result = await react(context, {
          goal: given.goal,
          tools: found.tools,
          isTainted: call.isTainted,
          allow: call.scope.allow,
          maxSteps: given.max_steps ?? 10,
          ...modelNamed(call, given, providers),
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
  return composedAction({
    name: 'reason.self_correct',
    description: 'Does a task, criticises what came of it and improves it.',
    needs: 'reasoning',
    lateParams: ['critic_prompt'],
    params: z.strictObject({
      task: z.string().describe('What is to be done.'),
      improvement_rounds: z
        .int()
        .min(0)
        .nullish()
        .describe('Times that the output is criticised and improved. Default 2.'),
      generator_model: z.string().nullish().describe('Who writes. Default: model.'),
      critic_model: z
        .string()
        .nullish()
        .describe('Who criticises. Default: who writes, else the model of the role critic.'),
      critic_prompt: z
        .string()
        .nullish()
        .describe('What the critic is told to look at; {{ output }} in it stands for the output.'),
      ...reasonParams,
    }),
    result: `{output, final_output (the same), improvement_history: [{round, output, critique, improved, issues_found, suggestions, improvement_score}], improvement_history_list: [{round: 0, type: initial, output}, {round, type: improvement, issues_found, suggestions, output, improvement_score}], rounds_completed, generator_model, critic_model, ${reasonResult}`,
    run: (given, call) =>
      thinking(call, given, async (context) => {
        const { model: generator, ...settings } = modelNamed(
          call,
          { ...given, model: given.generator_model ?? given.model },
          providers,
        )
        const critic = given.critic_model
          ? modelNamed(call, { ...given, model: given.critic_model }, providers).model
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
  return composedAction({
    name: 'reason.decompose',
    description:
      'Splits a problem into parts, solves them, those at once that do not need each other, and puts the answers together.',
    needs: 'reasoning',
    lateParams: ['synthesis_prompt'],
    params: z.strictObject({
      problem: z.string().describe('What is asked.'),
      max_depth: z
        .int()
        .min(0)
        .nullish()
        .describe('Times that a problem may be split, one within the other. Default 2.'),
      synthesis_prompt: z
        .string()
        .nullish()
        .describe('How the answers are put together; {{ sub_answers }} in it stands for them.'),
      ...reasonParams,
    }),
    result: `{sub_problems: [{id, description, depends_on, dependencies}], sub_answers: [{id, description, reasoning, answer, confidence}], final_answer, synthesis_reasoning, depth_used, ${reasonResult}`,
    run: (given, call) =>
      thinking(call, given, async (context) => {
        const names = { sub_answers: 'the answers that you are shown' }
        const result = await decompose(context, {
          problem: given.problem,
          maxDepth: given.max_depth ?? 2,
          ...modelNamed(call, given, providers),
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
