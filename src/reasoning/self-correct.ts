import { messageText } from '../kernel/agent/message.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { noticeCutAnswer } from '../kernel/model/cut-answer.ts'
import type { ModelBinding } from '../kernel/model/model.ts'
import { callModel } from '../kernel/model/model-call.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { parseJsonObject } from '../kernel/text/json-from-text.ts'
import { type CallSettings, chooseReasoner } from './choose-reasoner.ts'
import { type Prompt, toMessages, wrapInTag } from './conversation.ts'
import { toText } from './structured.ts'
import { type ReasoningTrace, type TraceListener, TraceRecorder } from './trace.ts'

/** A task whose output is to be improved. */
export interface SelfCorrectInput extends CallSettings {
  readonly task: string
  /** Number of rounds of critique and improvement. Default 2; 0 keeps the first output. */
  readonly improvementRounds?: number
  /** `provider:model` of the writer. Default: the model of the role `default`. */
  readonly generatorModel?: string
  /** `provider:model` of the critic. Default: the generator if given, otherwise the model of the role `critic`. */
  readonly criticModel?: string
  /** What the critic should look at. */
  readonly criticPrompt?: string
  readonly onEntry?: TraceListener
}

/** One round: the output, its critique, and the improved output. */
export type ImprovementRound = {
  /** From 1. */
  readonly round: number
  readonly output: string
  /** The critic's text, or the issues and suggestions of a structured answer. */
  readonly critique: string
  readonly improved: string
  readonly issuesFound: readonly string[]
  readonly suggestions: readonly string[]
  /** 0 to 1: how much could be improved according to the critic; null if it gave no score. */
  readonly improvementScore: number | null
}

/** The result of self-correction. */
export type SelfCorrectResult = {
  readonly output: string
  /** The same as `output`. */
  readonly finalOutput: string
  readonly improvementHistory: readonly ImprovementRound[]
  readonly roundsCompleted: number
  readonly generatorModel: string
  readonly criticModel: string
  readonly trace: ReasoningTrace
}

const defaultCriticPrompt =
  'Look for errors, gaps, unclear passages and what the task asks for and the output does not do.'

/**
 * Generates an output for a task, then has it critiqued and improved the given number of times, by one model or two. An
 * unstructured critique is used as text. Call it once per context: its step keys are fixed.
 * @throws `invalid_input` for an invalid number of rounds, `invalid_configuration` for an unusable model, and as `callModel`
 */
export async function selfCorrect(
  context: RunContext,
  input: SelfCorrectInput,
): Promise<SelfCorrectResult> {
  const { task, improvementRounds = 2, generatorModel, criticPrompt, onEntry } = input
  checkRounds(improvementRounds)
  const recorder = await TraceRecorder.begin(context, 'self_correct', onEntry)
  const generator = await chooseReasoner(context, 'default', generatorModel, input)
  const criticModel = input.criticModel ?? generatorModel
  const critic = await chooseReasoner(context, 'critic', criticModel, input)
  let output = await generateText(context.child('generate'), generator, generatePrompt(task))
  await recorder.add('generate', { output })
  const rounds: ImprovementRound[] = []
  for (let round = 1; round <= improvementRounds; round++) {
    const inRound = context.child(`round[${round}]`)
    const prompt = formatCritiquePrompt(task, output, criticPrompt)
    const critique = parseCritique(await generateText(inRound.child('critique'), critic, prompt))
    await recorder.add('critique', { round, ...critiqueFields(critique) })
    const improving = improvePrompt(task, output, critique.text)
    const improved = await generateText(inRound.child('improve'), generator, improving)
    await recorder.add('improve', { round, output: improved })
    const { text, ...found } = critique
    rounds.push({ round, output, critique: text, improved, ...found })
    output = improved
  }
  return {
    output,
    finalOutput: output,
    improvementHistory: rounds,
    roundsCompleted: rounds.length,
    generatorModel: generator.name,
    criticModel: critic.name,
    trace: recorder.end(),
  }
}

/**
 * The history as a list that starts with the first output: `[{round: 0, type: 'initial', output}, {round, type: 'improvement',
 * issues_found, suggestions, output, improvement_score}]`, where `output` is the result of the round.
 */
export function toHistoryFromInitial({
  output,
  improvementHistory,
}: Pick<SelfCorrectResult, 'output' | 'improvementHistory'>): readonly JsonObject[] {
  const initial = improvementHistory[0]?.output ?? output
  return [
    { round: 0, type: 'initial', output: initial },
    ...improvementHistory.map(
      ({ round, improved, issuesFound, suggestions, improvementScore }): JsonObject => ({
        round,
        type: 'improvement',
        issues_found: issuesFound,
        suggestions,
        output: improved,
        improvement_score: improvementScore,
      }),
    ),
  ]
}

/** The prompt for a critique of an output. */
export function formatCritiquePrompt(task: string, output: string, criticPrompt?: string): Prompt {
  const form =
    'Answer with one JSON object and nothing else: {"issues_found": ["what is wrong", …], "suggestions": ["how to mend it", …], "improvement_score": how much could be improved, from 0 (nothing) to 1 (all of it)}.'
  return {
    system: `You judge the output of somebody who was given a task. You do not solve the task yourself. ${criticPrompt ?? defaultCriticPrompt}\n\n${form}`,
    user: `${wrapInTag('task', task)}\n\n${wrapInTag('output', output)}`,
  }
}

function generatePrompt(task: string): Prompt {
  return {
    system: 'You do a task as well as you can. Give the result alone, without words about it.',
    user: wrapInTag('task', task),
  }
}

function improvePrompt(task: string, output: string, critique: string): Prompt {
  return {
    system:
      'You improve the output of a task by what a critic found. Keep what is good, mend what was found where the critic is right, and give the whole improved result alone, without words about it.',
    user: `${wrapInTag('task', task)}\n\n${wrapInTag('output', output)}\n\n${wrapInTag('critique', critique)}`,
  }
}

/** Calls a model with a prompt and returns its text. */
async function generateText(
  context: RunContext,
  model: ModelBinding,
  prompt: Prompt,
): Promise<string> {
  const messages = toMessages(context, 'model', prompt)
  const { message, finishReason } = await callModel(context, 'model', model, { messages })
  if (finishReason === 'length') await noticeCutAnswer(context, 'model', model)
  return messageText(message).toWellFormed().trim()
}

function critiqueFields({ text, issuesFound, suggestions, improvementScore }: Critique): {
  readonly [key: string]: Json
} {
  return {
    critique: text,
    issues_found: issuesFound,
    suggestions,
    improvement_score: improvementScore,
  }
}

function checkRounds(rounds: number): void {
  if (Number.isSafeInteger(rounds) && rounds >= 0) return
  throw new ScholiumError(
    'invalid_input',
    `improvementRounds has to be a whole number from 0 up, not ${rounds}.`,
  )
}

/** A parsed critique. */
interface Critique {
  /** The text given to the model that improves the output. */
  readonly text: string
  readonly issuesFound: readonly string[]
  readonly suggestions: readonly string[]
  /** 0 to 1, or null if the critic gave no score. */
  readonly improvementScore: number | null
}

/** Parses a critique: issues and suggestions if it is JSON, otherwise its text. */
export function parseCritique(said: string): Critique {
  const found = parseJsonObject(said, [])
  const { issues_found, suggestions, improvement_score } = found.ok ? found.value : {}
  if (issues_found === undefined && suggestions === undefined)
    return { text: said, issuesFound: [], suggestions: [], improvementScore: null }
  const read = { issuesFound: toTexts(issues_found), suggestions: toTexts(suggestions) }
  return { text: describe(read), ...read, improvementScore: clampScore(improvement_score) }
}

function describe({
  issuesFound,
  suggestions,
}: Pick<Critique, 'issuesFound' | 'suggestions'>): string {
  if (issuesFound.length + suggestions.length === 0) return 'No issues were found.'
  return [
    ...issuesFound.map((issue) => `Issue: ${issue}`),
    ...suggestions.map((suggestion) => `Suggestion: ${suggestion}`),
  ].join('\n')
}

function toTexts(value: Json | undefined): readonly string[] {
  const items: readonly Json[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return items.map(toText).filter((text) => text.trim() !== '')
}

function clampScore(value: Json | undefined): number | null {
  return typeof value === 'number' ? Math.min(1, Math.max(0, value)) : null
}
