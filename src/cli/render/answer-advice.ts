import type { PapersAnswer } from '../../app.ts'
import type { Failure } from '../../kernel/errors.ts'
import type { Answer } from '../arguments/app-settings.ts'
import { withGrants } from '../arguments/grant-options.ts'
import type { Invocation } from '../arguments/invocation.ts'
import type { RunView } from './run-view.ts'
import { oneLine } from './text.ts'

/** What the person can do about an answer that is none, or not whole; empty where there is nothing to do. */
export function adviceFor(answer: Answer, failure: Failure | null): string {
  const { stopReason, gaps } = answer
  if (stopReason === 'error') return afterFailure(answer, failure)
  if (gaps.some(({ kind }) => kind === 'uncited_answer')) return afterWithheld(answer)
  if (gaps.some(({ kind }) => kind === 'unsupported_answer'))
    return 'Read it beside its sources, or ask again with a stronger model (--model).'
  if (gaps.some(({ kind }) => kind === 'claim_dropped')) return afterDropped
  if (gaps.some(({ kind }) => kind === 'cut_off')) return afterCut
  if (stopReason === 'no_evidence' || stopReason === 'gaps') return afterNothingFound(answer)
  if (stopReason === 'retry_limit') return afterRejections(answer)
  if (stopReason === 'plan_refused')
    return 'To have another plan, ask again with --approve-plan, and answer with what shall be other in place of a no: words for the planner, or a plan as JSON.'
  return stopReason === 'limit' ? afterLimit(answer) : ''
}

function afterFailure({ error, runId }: Answer, failure: Failure | null): string {
  const hint =
    error?.hint ?? failure?.hint ?? `See all that happened: scholium runs show ${runId} --events`
  const canGoOn = (error ?? failure)?.retryable === true
  return oneLine(canGoOn ? withResume(hint, `scholium resume ${runId}`) : hint)
}

/** A hint with the command that goes on with the run, said once. */
export function withResume(hint: string, command: string): string {
  const said = /(?:then )?resume the run\.$/i
  if (!said.test(hint)) return `${hint} Then go on with: ${command}`
  return hint.replace(
    said,
    (words) => `${words[0] === 'T' ? 'Then' : 'then'} go on with: ${command}`,
  )
}

function afterWithheld({ runId, models }: Answer): string {
  return `The model's answer is withheld, since nothing that was read stands behind it; another model may do better (--model). What it said: scholium runs show ${runId}. Whether it can do this work: ${doctorFor(models)}`
}

const afterCut =
  'A model was cut off at its maximal length. If a limit of the run made it so short, raise that (--max-tokens, --max-cost-usd). Otherwise set a higher maxOutputTokens in the configuration, or ask for less.'

const afterDropped =
  'What was left out is not borne out by what was read. To see it with its verdict, ask with --claims mark; or add files that say it: scholium library add PATH'

function afterNothingFound({ models, gaps, plan }: Answer): string {
  const isUnread = gaps.some(({ kind }) => kind === 'unreadable_source')
  if (isUnread && plan.researchSteps.length + plan.expertSteps.length === 0)
    return 'No model was asked. Repair the files, or name others: --source PATH, or scholium library add PATH'
  const caution = isBuiltIn(models)
    ? 'The built-in engine found no sentence that answers it; your files may say it in other words (scholium library search WORDS shows the nearest places). '
    : ''
  return `${caution}Add files that may say it: scholium library add PATH (or --source PATH for this question alone).`
}

function afterRejections({ models }: Answer): string {
  const retries =
    'If the work was rejected for what it says, ask more narrowly or allow more attempts (--retry-limit).'
  return isBuiltIn(models)
    ? `The critics rejected every attempt. Use a language model (--model). ${retries}`
    : `No attempt had a usable form that the critics approved. Small models often cannot keep to a form: see whether yours can with ${doctorFor(models)}, or use a stronger one (--model). ${retries}`
}

function afterLimit({ runId, models, plan, usage, gaps }: Answer): string {
  const hasPlan = plan.researchSteps.length + plan.expertSteps.length > 0
  const isSilent = !hasPlan && usage.modelCalls > 0 && usage.outputTokens === 0
  return isSilent && !isBuiltIn(models)
    ? `A limit ended the work, and ${models.planner} had not answered yet. See whether it answers: ${doctorFor(models)} Then ask again, with a higher limit if it is slow.`
    : `A limit ended the work. With a higher one it goes on from here, and repeats nothing: scholium resume ${runId} ${limitOption(gaps)} N`
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

/** The check of the first role's model that is no built-in one. */
function doctorFor(models: Answer['models']): string {
  const name = Object.values(models).find((model) => model !== 'extractive')
  return `scholium doctor${name === undefined ? '' : ` --model ${name}`}`
}

/** Tells how a run that a limit ended can be resumed. */
export function tellLimit(
  { terminal, options }: Invocation,
  { stopReason }: Pick<Answer | PapersAnswer, 'stopReason'>,
  { limit }: RunView,
): void {
  if (stopReason === 'limit' && limit?.hint !== undefined)
    terminal.tell(terminal.asTyped(withGrants(options, limit.hint)))
}
