import { fromFailure, ScholiumError, toFailure } from '../errors.ts'
import {
  canonicalJson,
  findNonJson,
  type Hash,
  hashJson,
  type Json,
  type JsonObject,
} from '../json.ts'
import type { Grant } from '../limits/limits.ts'
import type { ReservationHolder } from '../limits/reservation-holder.ts'
import type { NewEvent, RunEvent, StepEvent, StepFacts } from '../run/event.ts'
import type { RecordedStep } from '../run/journal.ts'
import type { Durability, NewBlob } from '../run/run-store.ts'
import { Attempt, type StepSpec } from './step-attempt.ts'
import { recordingLimit, reserveInTime } from './step-limit.ts'
import type { StepScope } from './step-scope.ts'

/**
 * Runs a step: an effect whose outcome is recorded in the log under its key, so that it is never repeated once it has finished.
 * See `RunContext.step`.
 *
 * The life of a step:
 * 1. Its key and input hash are compared with the log. A recorded `step.done` or `step.failed` is the outcome, and nothing runs.
 *    With another input than the recorded one, the run stops with `step_changed`. In a replay, a step that is missing in the log
 *    is an error; nothing runs except a pure step whose input differs, which is computed again.
 * 2. {@link admit} reserves the most that it can use, and waits for other reservations if the budget is short.
 * 3. If it costs money or writes, {@link begin} appends `step.started` with its input and reservation.
 * 4. An {@link Attempt} runs its function within the time limits.
 * 5. One end is appended, with the usage: `step.done`, `step.failed`, `step.cancelled` (the run was interrupted), or
 *    `step.outcome_unknown` (a write was interrupted and may have happened). There is none if a limit stopped the step, which is
 *    recorded as `limit.reached`; if it waits for a person; or if the log itself failed.
 *
 * A resumed run repeats a step that was cancelled or has no end, as its next attempt. Of writes, it repeats only those that were
 * cancelled before they began, or that `decide` finds undone.
 */
export async function runStep<T extends Json>(scope: StepScope, spec: StepSpec<T>): Promise<T> {
  const { journal } = scope.services
  const key = scope.key(spec.name)
  journal.claim(key)
  const inputHash = hashJson(spec.input)
  const recorded = journal.recordedStep(key)
  if (recorded !== undefined) {
    const outcome = await readOutcome<T>(scope, spec, key, inputHash, recorded)
    if (outcome !== 'run') return outcome.value
  } else throwIfMissing(scope, key)
  const attempt = (recorded?.facts.attempt ?? 0) + 1
  const endedAt = scope.isReplay ? recorded?.ts : undefined
  return execute(scope, spec, { key, inputHash, attempt, endedAt })
}

/** What the log says of a step: its value, or that its function has to run. */
type RecordedOutcome<T> = 'run' | { readonly value: T }

async function readOutcome<T extends Json>(
  scope: StepScope,
  spec: StepSpec<T>,
  key: string,
  inputHash: Hash,
  recorded: RecordedStep,
): Promise<RecordedOutcome<T>> {
  const { journal } = scope.services
  if (recorded.facts.inputHash !== inputHash) {
    if (scope.isReplay && spec.effect === 'pure') return 'run'
    if (recorded.isBeforeRetry && !scope.isReplay && hasKnownOutcome(recorded, spec)) return 'run'
    throw await stepChanged(scope, spec, key, recorded)
  }
  switch (recorded.type) {
    case 'step.done':
      scope.advanceTime(recorded.ts)
      scope.services.count?.(recorded.facts)
      return { value: (await journal.output(recorded.seq)) as T }
    case 'step.failed': {
      const failure = recorded.facts.failure
      if (failure === undefined) break
      scope.advanceTime(recorded.ts)
      scope.services.count?.(recorded.facts)
      throw fromFailure(failure)
    }
    case 'step.outcome_unknown':
      // The stop itself interrupted it, or an earlier crash did.
      if (recorded.seq > (scope.stop?.seq ?? Infinity)) throwIfPartStopped(scope, recorded)
      throw outcomeUnknown(key)
    default:
      break
  }
  scope.throwIfLimitRecorded(key)
  throwIfPartStopped(scope, recorded)
  if (scope.isReplay)
    throw new ScholiumError('step_missing', `The recorded step "${key}" has no result.`, {
      details: { key },
    })
  if (spec.effect !== 'write' || recorded.type === 'step.cancelled') return 'run'
  const decided = await spec.decide?.()
  if (decided === 'undone') return 'run'
  const lost = withWholeReservation(recorded.facts)
  if (decided !== undefined) {
    const value = scope.redact(decided.output) as T
    const done = await appendStep(scope, key, 'step.done', lost, value, 'full')
    scope.advanceTime(done.ts)
    return { value }
  }
  const facts: StepFacts = { ...lost, failure: toFailure(outcomeUnknown(key)) }
  await appendStep(scope, key, 'step.outcome_unknown', facts, undefined, 'full')
  throw outcomeUnknown(key)
}

/** The facts of a start whose end was lost: what it used is not known, so everything reserved counts as used. */
function withWholeReservation(facts: StepFacts): StepFacts {
  if (facts.reservation === undefined) return facts
  const { steps, tokens, costUsd } = facts.reservation
  return { ...facts, steps, usage: { inputTokens: tokens, outputTokens: 0, costUsd } }
}

/** Throws when a step should be in the log and is not: a limit or a stop prevented it, or the log does not match the code. */
function throwIfMissing(scope: StepScope, key: string): void {
  scope.throwIfLimitRecorded(key)
  throwIfPartStopped(scope, undefined)
  if (!scope.isReplay) return
  throw new ScholiumError(
    'step_missing',
    `The log has no step "${key}", which the code requires.`,
    {
      hint: 'The log is incomplete, or the code has changed since the run was recorded.',
      details: { key },
    },
  )
}

/** In a part of the run that a person stopped, ends a step without a result as it ended then. @throws `cancelled` */
function throwIfPartStopped(scope: StepScope, recorded: RecordedStep | undefined): void {
  if (scope.stop === undefined) return
  if (recorded?.type === 'step.cancelled') {
    scope.advanceTime(recorded.ts)
    scope.services.count?.(recorded.facts)
  }
  throw cancelled(undefined, recorded?.facts.failure?.details)
}

/** Whether it is certain what a step from before a retry did. With another input it is then a new step. */
function hasKnownOutcome<T extends Json>(recorded: RecordedStep, spec: StepSpec<T>): boolean {
  return spec.effect !== 'write' || recorded.type === 'step.done' || recorded.type === 'step.failed'
}

/** Maximum length, in UTF-16 code units of JSON, at which the log keeps the input of a cheap step, to show what changed. */
const maxLoggedInput = 2_000

interface Attempted {
  readonly key: string
  readonly inputHash: Hash
  readonly attempt: number
  /** In a replay: when the step ended, in milliseconds since 1970. */
  readonly endedAt: number | undefined
}

async function execute<T extends Json>(
  scope: StepScope,
  spec: StepSpec<T>,
  attempted: Attempted,
): Promise<T> {
  const { key } = attempted
  const durability: Durability = spec.isPaid === true || spec.effect === 'write' ? 'full' : 'normal'
  const facts = createFacts(scope, spec, attempted, durability)
  const holder = scope.services.budget.newHolder()
  const grant = await admit(scope, spec, key, holder)
  try {
    await begin(scope, spec, key, withReservation(facts, grant), durability)
  } catch (error) {
    grant?.settle(nothingUsed)
    throw error
  }
  const work = new Attempt(scope, spec, attempted, { grant, holder })
  try {
    const output = scope.redact(await work.run())
    checkOutput(spec.name, output)
    work.settleOpen(false)
    const ended = { ...facts, ...work.usageFacts() }
    const done = await appendStep(scope, key, 'step.done', ended, output, durability, work.kept)
    scope.advanceTime(attempted.endedAt ?? done.ts)
    scope.services.count?.(ended)
    return output
  } catch (thrown) {
    const error = work.explain(thrown)
    work.settleOpen(true)
    throw await recordFailure(scope, spec, facts, work.usageFacts(), key, error, durability)
  }
}

function checkOutput(name: string, output: Json): void {
  const path = findNonJson(output)
  if (path === undefined) return
  throw new ScholiumError(
    'step_failed',
    `${name} returned a value at ${path} that cannot be represented in JSON.`,
  )
}

function createFacts<T extends Json>(
  scope: StepScope,
  spec: StepSpec<T>,
  { inputHash, attempt }: Attempted,
  durability: Durability,
): StepFacts {
  const { name, effect } = spec
  const input = spec.loggedInput ?? spec.input
  const isShort = durability === 'normal' && JSON.stringify(input).length <= maxLoggedInput
  const startedAt = scope.services.clock.now()
  const facts = { name, effect, inputHash, attempt, startedAt, ...(isShort ? { input } : {}) }
  return spec.isPause === true ? { ...facts, isPause: true } : facts
}

/** The facts of a step's start with its reservation, which counts as used if the end is never recorded. */
function withReservation(facts: StepFacts, grant: Grant | undefined): StepFacts {
  if (grant === undefined) return facts
  const { steps, tokens, costUsd } = grant.reservation
  return { ...facts, reservation: { steps, tokens, costUsd } }
}

/** Records the start of a step that costs or writes. @throws `cancelled` when the run was interrupted meanwhile, `fenced` */
async function begin<T extends Json>(
  scope: StepScope,
  spec: StepSpec<T>,
  key: string,
  facts: StepFacts,
  durability: Durability,
): Promise<void> {
  const { name, effect, reservation } = spec
  if (durability === 'full') {
    const input = spec.loggedInput ?? spec.input
    // A write is never repeated and a limit must count what was reserved, so these starts are flushed to disk first. Any other
    // read is repeated after a power cut, whether its start was stored or not.
    const isCounted = reservation !== undefined && scope.services.budget.isBounded
    const startDurability = effect === 'write' || isCounted ? 'full' : 'normal'
    await appendStep(scope, key, 'step.started', facts, input, startDurability)
    if (effect === 'write') await scope.services.journal.checkOwnership()
  }
  if (scope.signal.aborted) {
    // Nothing was done yet, so a resumed run may repeat even a write.
    const failure = toFailure(cancelled(undefined, undefined))
    await appendStep(scope, key, 'step.cancelled', { ...facts, failure }, undefined, durability)
    throw cancelled(undefined, undefined)
  }
  scope.services.journal.emit({ key, type: 'step.running', data: { name, effect } })
}

const nothingUsed = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** Checks that the run may continue and reserves what the step can use. @throws `limit_reached`, `cancelled` */
async function admit<T extends Json>(
  scope: StepScope,
  { reservation }: StepSpec<T>,
  key: string,
  holder: ReservationHolder,
): Promise<Grant | undefined> {
  return recordingLimit(scope, key, async () => {
    await scope.throwIfStopped()
    if (reservation === undefined || scope.isReplay) return undefined
    const grant = await reserveInTime(scope, reservation, holder)
    try {
      // The time limit may have passed while it waited for other reservations.
      await scope.throwIfStopped()
    } catch (error) {
      grant.settle(nothingUsed)
      throw error
    }
    return grant
  })
}

/** Records that an attempt failed and returns the error as every later execution will see it. */
async function recordFailure<T extends Json>(
  scope: StepScope,
  spec: StepSpec<T>,
  begun: StepFacts,
  used: ReturnType<Attempt<T>['usageFacts']>,
  key: string,
  error: unknown,
  durability: Durability,
): Promise<ScholiumError> {
  const facts = { ...begun, ...used }
  const failure = scope.redact(toFailure(error) as JsonObject) as StepFacts['failure'] & object
  const thrown = fromFailure(failure, error)
  if (failure.code === 'limit_reached') await scope.recordLimit(key, thrown, used)
  if (unrecorded.has(failure.code)) return thrown
  const isCancelled = scope.signal.aborted
  const isCutOff = isCancelled || failure.code === 'outcome_unknown'
  if (isCutOff && spec.effect === 'write') {
    await appendStep(
      scope,
      key,
      'step.outcome_unknown',
      { ...facts, failure: toFailure(outcomeUnknown(key)) },
      undefined,
      durability,
    )
    return isCancelled ? cancelled(error, undefined) : outcomeUnknown(key)
  }
  const type = isCancelled ? 'step.cancelled' : 'step.failed'
  const ended = await appendStep(scope, key, type, { ...facts, failure }, undefined, durability)
  scope.advanceTime(ended.ts)
  scope.services.count?.(facts)
  return isCancelled ? cancelled(error, failure.details) : thrown
}

/** @param details the partial result, if any */
function cancelled(cause: unknown, details: JsonObject | undefined): ScholiumError {
  return new ScholiumError('cancelled', 'The run was interrupted.', {
    cause,
    ...(details === undefined ? {} : { details }),
  })
}

/** Codes of failures that do not end the step itself. */
const unrecorded: ReadonlySet<string> = new Set([
  'fenced',
  'store_failed',
  'limit_reached',
  'waiting',
])

/** Appends one event of a step. */
function appendStep(
  scope: StepScope,
  key: string,
  type: StepEvent['type'],
  data: StepFacts,
  output: Json | undefined,
  durability: Durability,
  blobs: readonly NewBlob[] = [],
): Promise<RunEvent> {
  const event: NewEvent = {
    key,
    type,
    data,
    ts: scope.services.clock.now(),
    ...(output === undefined ? {} : { output }),
  }
  return scope.services.journal.append(event, durability, blobs)
}

/** The error of an interrupted write. */
function outcomeUnknown(key: string): ScholiumError {
  return new ScholiumError(
    'outcome_unknown',
    `It is unknown whether "${key}" happened: it was cut off while running.`,
    {
      hint: 'Check what it should have changed before doing it again.',
      details: { key },
    },
  )
}

/** The error of a step whose input differs from the recorded one, with the first difference. */
async function stepChanged<T extends Json>(
  scope: StepScope,
  spec: StepSpec<T>,
  key: string,
  recorded: RecordedStep,
): Promise<ScholiumError> {
  const before = scope.isReplay ? await scope.services.journal.recordedInput(key) : undefined
  const difference =
    before === undefined
      ? ''
      : ` ${firstDifference(canonicalJson(before), canonicalJson(spec.loggedInput ?? spec.input))}`
  return new ScholiumError(
    'step_changed',
    `The input of step "${key}" differs from the recorded one.${difference}`,
    {
      hint: 'Prompts, code or configuration have changed since, or the log was altered. Ask the question again.',
      details: {
        key,
        recordedInputHash: recorded.facts.inputHash,
        inputHash: hashJson(spec.input),
      },
    },
  )
}

/** The first difference between two texts, with some context of each. */
function firstDifference(before: string, after: string): string {
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  const from = Math.max(0, at - 40)
  return `Recorded: …${before.slice(from, at + 60)}… Now: …${after.slice(from, at + 60)}…`
}
