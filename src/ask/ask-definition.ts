import { foldState } from '../graph/fold-state.ts'
import type { Patch } from '../graph/graph.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { Workflow } from '../kernel/run/workflow.ts'
import { promptHashes } from '../team/prompt-files.ts'
import type { Prompts } from './prompts.ts'
import { type AskInput, cleanQuestion, toTitle } from './question.ts'
import type { AskResult } from './result.ts'
import { type AskState, channels } from './state.ts'

/** What the `ask` workflow is beside its running: names, hashes, and how a log is read. */
export function defineAsk(
  prompts: Prompts,
): Omit<Workflow<AskInput, AskResult & JsonObject>, 'run'> {
  return {
    name: 'ask',
    version: '1',
    promptHashes: promptHashes(prompts),
    title: ({ question }) => toTitle(question),
    foldState: (input, ends) => foldState(channels, toInitialPatch(input), ends),
    status: (result) => result.status,
  }
}

/** What the input gives to the state: each of its members is a field. */
export function toInitialPatch({ question, ...others }: AskInput): Patch<AskState> {
  const given = Object.entries(others).filter(([, value]) => value !== undefined)
  return { question: cleanQuestion(question), ...Object.fromEntries(given) }
}
