import { foldState } from '../graph/fold-state.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { Workflow } from '../kernel/run/workflow.ts'
import { promptHashes } from '../team/prompt-files.ts'
import type { Prompts } from './prompts.ts'
import { type AskInput, cleanQuestion, toTitle } from './question.ts'
import type { AskResult } from './result.ts'
import { type AskPatch, channels } from './state.ts'

/** All of the `ask` workflow but its running: names, hashes, and how a log is read. */
export function defineAsk(
  prompts: Prompts,
): Omit<Workflow<AskInput, AskResult & JsonObject>, 'run'> {
  return {
    name: 'ask',
    version: '5',
    promptHashes: promptHashes(prompts),
    title: ({ question }) => toTitle(question),
    foldState: (input, ends) => foldState(channels, toInitialPatch(input), ends),
    status: (result) => result.status,
  }
}

/** The state's fields from the input: the limits of rejections control the work, all else belongs to the question. */
export function toInitialPatch({
  question,
  retryLimit,
  retryLimits,
  ...others
}: AskInput): AskPatch {
  return {
    question: { text: cleanQuestion(question), ...withoutUndefined(others) },
    control: withoutUndefined({ retryLimit, retryLimits }),
  }
}

function withoutUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
