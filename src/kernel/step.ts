import { fromFailure, ScholiumError, toFailure } from './errors.ts'
import type { Effect, EventType, NewEvent, StepFacts, Usage } from './event.ts'
import type { RecordedStep } from './journal.ts'
import { canonicalJson, type Hash, hashJson, type Json, type JsonObject } from './json.ts'
import type { Grant, Reservation } from './limits.ts'
import type { RunContext } from './run-context.ts'
import type { Durability, NewBlob } from './run-store.ts'

/** What a step's function gets to work with. */
export interface StepAttempt {
  readonly key: string
  readonly signal: AbortSignal
  /** 1, or more when an earlier attempt was cut off. */
  readonly attempt: number
  /** Reserves before each call that costs; settle what it gives back. */
  reserve(reservation: Reservation): Promise<Grant>
  /** Counts what was used, also when the step then fails. */
  use(usage: Usage): void
  /** Keeps text under its hash in the same transaction as the step's end. */
  keep(hash: Hash, text: string): void
  /** Waits by the run's clock. */
  sleep(delayMs: number): Promise<void>
}

/** What is said of a step beside its name, effect and input. */
export interface StepOptions {
  /** Whether it costs money or tokens: its start is then in the log before it is made, its end on disk before it resolves. */
  readonly isPaid?: boolean
  /** How long it may take. Default: no bound of its own. */
  readonly timeoutMs?: number
  /** The input in the form in which the log keeps it, when the hash stands for more. Default: the input. */
  readonly loggedInput?: Json
}

interface StepSpec<T extends Json> extends StepOptions {
  readonly name: string
  readonly effect: Effect
  readonly input: Json
  run(attempt: StepAttempt): Promise<T>
}

/** Does a step under the contract of the log: see {@link RunContext.step}. */
export async function runStep<T extends Json>(context: RunContext, spec: StepSpec<T>): Promise<T> {
  const { journal } = context.services
  const key = context.key(spec.name)
  journal.claim(key)
  const inputHash = hashJson(spec.input)
  const recorded = journal.recordedStep(key)
  if (recorded !== undefined) {
    const outcome = await fromLog<T>(context, spec, key, inputHash, recorded)
    if (outcome !== 'repeat') return outcome.value
  }
  if (context.isReplay && recorded === undefined) {
    context.throwRecordedLimit(key)
    throw new ScholiumError(
      'step_missing',
      `The log has no step "${key}", which the code asks for.`,
      {
        hint: 'The log is incomplete, or the code is not what it was when the run was recorded.',
        details: { key },
      },
    )
  }
  const attempt = (recorded?.facts.attempt ?? 0) + 1
  return execute(context, spec, { key, inputHash, attempt })
}

type FromLog<T> = 'repeat' | { readonly value: T }

async function fromLog<T extends Json>(
  context: RunContext,
  spec: StepSpec<T>,
  key: string,
  inputHash: Hash,
  recorded: RecordedStep,
): Promise<FromLog<T>> {
  const { journal } = context.services
  if (recorded.facts.inputHash !== inputHash) {
    if (context.isReplay && spec.effect === 'pure') return 'repeat'
    throw await stepChanged(context, spec, key, recorded)
  }
  switch (recorded.type) {
    case 'step.done':
      context.reach(recorded.ts)
      return { value: (await journal.output(recorded.seq)) as T }
    case 'step.failed': {
      const failure = recorded.facts.failure
      if (failure === undefined) break
      if (failure.retryable && !context.isReplay) return 'repeat'
      context.reach(recorded.ts)
      throw fromFailure(failure)
    }
    case 'step.outcome_unknown':
      throw outcomeUnknown(key)
    default:
      break
  }
  if (context.isReplay)
    throw new ScholiumError('step_missing', `The recorded step "${key}" has no end.`, {
      details: { key },
    })
  if (spec.effect !== 'write') return 'repeat'
  const facts: StepFacts = { ...recorded.facts, failure: toFailure(outcomeUnknown(key)) }
  await append(context, key, 'step.outcome_unknown', facts, undefined, 'full')
  throw outcomeUnknown(key)
}

/** Inputs of cheap steps are kept in the log up to this many characters, to show what changed. */
const maxLoggedInput = 2_000

interface Attempted {
  readonly key: string
  readonly inputHash: Hash
  readonly attempt: number
}

async function execute<T extends Json>(
  context: RunContext,
  spec: StepSpec<T>,
  attempted: Attempted,
): Promise<T> {
  const { key, inputHash, attempt } = attempted
  const { clock, journal } = context.services
  const durability: Durability = spec.isPaid === true || spec.effect === 'write' ? 'full' : 'normal'
  const input = spec.loggedInput ?? spec.input
  const isShort = durability === 'normal' && JSON.stringify(input).length <= maxLoggedInput
  const facts: StepFacts = {
    name: spec.name,
    effect: spec.effect,
    inputHash,
    attempt,
    startedAt: clock.now(),
    ...(isShort ? { input } : {}),
  }
  try {
    await context.checkGoingOn()
  } catch (error) {
    if (error instanceof ScholiumError && error.code === 'limit_reached')
      await context.recordLimit(key, error)
    throw error
  }
  if (durability === 'full') {
    // A write is never repeated, so its start is on disk first. A read is repeated after a power cut with or without one.
    await append(
      context,
      key,
      'step.started',
      facts,
      input,
      spec.effect === 'write' ? 'full' : 'normal',
    )
    if (spec.effect === 'write') await journal.checkOwnership()
  }
  journal.emit({ key, type: 'step.running', data: { name: spec.name, effect: spec.effect } })
  const work = new Attempt(context, spec, attempted)
  try {
    const output = context.redact(await work.run())
    const done = await append(
      context,
      key,
      'step.done',
      { ...facts, ...work.usageFacts() },
      output,
      durability,
      work.kept,
    )
    context.reach(done.ts)
    return output
  } catch (error) {
    await recordFailure(context, spec, { ...facts, ...work.usageFacts() }, key, error, durability)
    throw error
  }
}

async function recordFailure<T extends Json>(
  context: RunContext,
  spec: StepSpec<T>,
  facts: StepFacts,
  key: string,
  error: unknown,
  durability: Durability,
): Promise<void> {
  const failure = context.redact(toFailure(error) as JsonObject) as StepFacts['failure'] & object
  if (failure.code === 'fenced' || failure.code === 'store_failed') return
  if (failure.code === 'limit_reached') return context.recordLimit(key, error as ScholiumError)
  if (failure.code === 'waiting') return
  const isCancelled = context.signal.aborted
  if (isCancelled && spec.effect === 'write') {
    await append(
      context,
      key,
      'step.outcome_unknown',
      { ...facts, failure: toFailure(outcomeUnknown(key)) },
      undefined,
      durability,
    )
    return
  }
  const type: EventType = isCancelled ? 'step.cancelled' : 'step.failed'
  const ended = await append(context, key, type, { ...facts, failure }, undefined, durability)
  context.reach(ended.ts)
}

class Attempt<T extends Json> implements StepAttempt {
  readonly key: string
  readonly attempt: number
  readonly signal: AbortSignal
  readonly kept: NewBlob[] = []
  private used: Usage | undefined
  private readonly context: RunContext
  private readonly spec: StepSpec<T>

  constructor(context: RunContext, spec: StepSpec<T>, attempted: Attempted) {
    this.context = context
    this.spec = spec
    this.key = attempted.key
    this.attempt = attempted.attempt
    this.signal =
      spec.timeoutMs === undefined
        ? context.signal
        : AbortSignal.any([context.signal, AbortSignal.timeout(spec.timeoutMs)])
  }

  run(): Promise<T> {
    return this.spec.timeoutMs === undefined
      ? this.spec.run(this)
      : this.runWithin(this.spec.timeoutMs)
  }

  reserve(reservation: Reservation): Promise<Grant> {
    return this.context.services.budget.reserve(reservation, this.context.share)
  }

  use(usage: Usage): void {
    const before = this.used ?? { inputTokens: 0, outputTokens: 0, costUsd: 0 }
    const isPriced = before.costUsd !== null && usage.costUsd !== null
    this.used = {
      inputTokens: before.inputTokens + usage.inputTokens,
      outputTokens: before.outputTokens + usage.outputTokens,
      costUsd: isPriced ? (before.costUsd as number) + (usage.costUsd as number) : null,
    }
  }

  keep(hash: Hash, text: string): void {
    this.kept.push({ hash, text })
  }

  sleep(delayMs: number): Promise<void> {
    return this.context.services.clock.sleep(delayMs, this.signal)
  }

  usageFacts(): { usage?: Usage & JsonObject } {
    return this.used === undefined ? {} : { usage: { ...this.used } }
  }

  private runWithin(timeoutMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const onAbort = () =>
        reject(
          this.context.signal.aborted
            ? new ScholiumError('cancelled', 'The run was interrupted.')
            : new ScholiumError(
                'step_failed',
                `${this.spec.name} took longer than ${timeoutMs / 1000} s.`,
                { retryable: true },
              ),
        )
      this.signal.addEventListener('abort', onAbort, { once: true })
      this.spec
        .run(this)
        .then(resolve, reject)
        .finally(() => this.signal.removeEventListener('abort', onAbort))
    })
  }
}

function append(
  context: RunContext,
  key: string,
  type: EventType,
  data: StepFacts,
  output: Json | undefined,
  durability: Durability,
  blobs: readonly NewBlob[] = [],
): ReturnType<RunContext['services']['journal']['append']> {
  const event: NewEvent = {
    key,
    type,
    data: data as JsonObject,
    ts: context.services.clock.now(),
    ...(output === undefined ? {} : { output }),
  }
  return context.services.journal.append(event, durability, blobs)
}

function outcomeUnknown(key: string): ScholiumError {
  return new ScholiumError(
    'outcome_unknown',
    `Whether "${key}" happened is not known: it was cut off while it ran.`,
    {
      hint: 'Look at what it should have changed before doing it again.',
      details: { key },
    },
  )
}

async function stepChanged<T extends Json>(
  context: RunContext,
  spec: StepSpec<T>,
  key: string,
  recorded: RecordedStep,
): Promise<ScholiumError> {
  const before = context.isReplay ? await context.services.journal.recordedInput(key) : undefined
  const difference =
    before === undefined
      ? ''
      : ` ${firstDifference(canonicalJson(before), canonicalJson(spec.loggedInput ?? spec.input))}`
  return new ScholiumError(
    'step_changed',
    `The step "${key}" asks for something else than what was recorded.${difference}`,
    {
      hint: 'Prompts, code or configuration have changed since, or the log was altered: start the question anew.',
      details: {
        key,
        recordedInputHash: recorded.facts.inputHash,
        inputHash: hashJson(spec.input),
      },
    },
  )
}

/** Says where two texts part, with a little of each. */
export function firstDifference(before: string, after: string): string {
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  const from = Math.max(0, at - 40)
  return `Recorded: …${before.slice(from, at + 60)}… Now: …${after.slice(from, at + 60)}…`
}
