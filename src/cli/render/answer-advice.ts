import type { PapersAnswer } from '../../app.ts'
import { mayBeEnglish } from '../../claims/language/languages.ts'
import type { Failure } from '../../kernel/errors.ts'
import type { Answer } from '../arguments/app-settings.ts'
import { withGrants } from '../arguments/grant-options.ts'
import type { Invocation } from '../arguments/invocation.ts'
import type { RunView } from './run-view.ts'
import { oneLine } from './text.ts'

/** What to do about a missing or incomplete answer; empty if there is nothing to do. */
export function adviceFor(answer: Answer, failure: Failure | null): string {
  const { stopReason, gaps } = answer
  if (stopReason === 'error') return afterFailure(answer, failure)
  if (gaps.some(({ kind }) => kind === 'uncited_answer')) return afterWithheld(answer)
  if (gaps.some(({ kind }) => kind === 'unsupported_answer'))
    return 'Compare it with its sources, or ask again with a stronger model (--model).'
  if (gaps.some(({ kind }) => kind === 'claim_dropped')) return afterDropped
  if (gaps.some(({ kind }) => kind === 'cut_off')) return afterCut
  if (stopReason === 'no_evidence' || stopReason === 'gaps') return afterNothingFound(answer)
  if (stopReason === 'retry_limit') return afterRejections(answer)
  if (stopReason === 'plan_refused')
    return 'For a different plan, ask again with --approve-plan and, instead of refusing, answer with feedback for the planner or a plan as JSON.'
  if (stopReason === 'ended_early') return afterEarlyEnd
  return stopReason === 'limit' ? afterLimit(answer) : ''
}

function afterFailure({ error, runId }: Answer, failure: Failure | null): string {
  const hint =
    error?.hint ?? failure?.hint ?? `To see every event: scholium runs show ${runId} --events`
  const canGoOn = (error ?? failure)?.retryable === true
  return oneLine(canGoOn ? withResume(hint, `scholium resume ${runId}`) : hint)
}

/** Adds the command that resumes the run to a hint, once. */
export function withResume(hint: string, command: string): string {
  const said = /(?:then )?resume the run\.$/i
  if (!said.test(hint)) return `${hint} Then resume with: ${command}`
  return hint.replace(
    said,
    (words) => `${words[0] === 'T' ? 'Then' : 'then'} resume with: ${command}`,
  )
}

function afterWithheld({ runId, models }: Answer): string {
  return `The model's answer is withheld because it is not based on anything that was read. Another model may do better (--model). To see what it said: scholium runs show ${runId}. To check whether the model is suitable: ${doctorFor(models)}`
}

const afterCut =
  "A model's output was cut off at its maximum length. If a limit of the run caused this, raise it (--max-tokens, --max-cost-usd). Otherwise set a higher maxOutputTokens in the configuration, or ask a narrower question."

const afterDropped =
  'The omitted sentences are not supported by the sources. To see them with their verdicts, ask with --claims mark; or add files that support them: scholium library add PATH'

function afterNothingFound({ question, models, gaps, plan }: Answer): string {
  const isUnread = gaps.some(({ kind }) => kind === 'unreadable_source')
  if (isUnread && plan.researchSteps.length + plan.expertSteps.length === 0)
    return 'No model was called. Repair the files, or give others: --source PATH, or scholium library add PATH'
  const why = mayBeEnglish(question)
    ? 'Your files may use other words (scholium library search WORDS shows the closest passages).'
    : 'It understands English questions only; a language model understands others (--model).'
  const caution = isBuiltIn(models)
    ? `The built-in engine found no sentence that answers the question. ${why} `
    : ''
  return `${caution}Add files that may contain the answer: scholium library add PATH (or --source PATH for this question only).`
}

function afterRejections({ models }: Answer): string {
  const retries =
    'If the work was rejected for its content, ask a narrower question or allow more attempts (--retry-limit).'
  return isBuiltIn(models)
    ? `The critics rejected every attempt. Use a language model (--model). ${retries}`
    : `No attempt produced usable output that the critics approved. Small models often cannot follow an output format: check yours with ${doctorFor(models)}, or use a stronger one (--model). ${retries}`
}

/** What to do after a run that a person ended. */
export const afterEarlyEnd = 'The run was ended early. To have the rest worked out, ask again.'

function afterLimit({ runId, models, plan, usage, gaps }: Answer): string {
  const hasPlan = plan.researchSteps.length + plan.expertSteps.length > 0
  const isSilent = !hasPlan && usage.modelCalls > 0 && usage.outputTokens === 0
  return isSilent && !isBuiltIn(models)
    ? `A limit was reached before ${models.planner} answered. Check whether it responds: ${doctorFor(models)} Then ask again, with a higher limit if it is slow.`
    : `A limit was reached. To continue from here with a higher limit, repeating nothing: scholium resume ${runId} ${limitOption(gaps)} N`
}

/** By the first word of the limit's name. */
const limitOptions: Readonly<Record<string, string>> = {
  model: '--max-steps',
  tokens: '--max-tokens',
  dollars: '--max-cost-usd',
  time: '--max-seconds',
  megabytes: '--max-log-mb',
}

/** The option that raises the limit that was reached. */
function limitOption(gaps: Answer['gaps']): string {
  const told = gaps.find(({ kind }) => kind === 'limit')?.detail ?? ''
  const [, name = ''] = /^The limit on (\w+)/.exec(told) ?? []
  return limitOptions[name] ?? Object.values(limitOptions).join(' N or ')
}

function isBuiltIn(models: Answer['models']): boolean {
  return Object.values(models).every((name) => name === 'extractive')
}

/** The `doctor` command for the first role that uses a language model. */
function doctorFor(models: Answer['models']): string {
  const name = Object.values(models).find((model) => model !== 'extractive')
  return `scholium doctor${name === undefined ? '' : ` --model ${name}`}`
}

/** Says how to resume a run that a limit ended. */
export function tellLimit(
  { terminal, options }: Invocation,
  { stopReason }: Pick<Answer | PapersAnswer, 'stopReason'>,
  { limit }: RunView,
): void {
  if (stopReason === 'limit' && limit?.hint !== undefined)
    terminal.tell(terminal.asTyped(withGrants(options, limit.hint)))
}
