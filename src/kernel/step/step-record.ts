import { ScholiumError } from '../errors.ts'
import { canonicalJson, hashJson, type Json } from '../json.ts'
import type { NewEvent, RunEvent, StepEvent, StepFacts } from '../run/event.ts'
import type { RecordedStep } from '../run/journal.ts'
import type { Durability, NewBlob } from '../run/run-store.ts'
import type { StepSpec } from './step-attempt.ts'
import type { StepScope } from './step-scope.ts'

/** Appends one event of a step. */
export function appendStep(
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

/** The error of a write that was cut off. */
export function outcomeUnknown(key: string): ScholiumError {
  return new ScholiumError(
    'outcome_unknown',
    `It is unknown whether "${key}" happened: it was cut off while running.`,
    {
      hint: 'Check what it should have changed before doing it again.',
      details: { key },
    },
  )
}

/** The error of a step whose input is not what was recorded, with where they part. */
export async function stepChanged<T extends Json>(
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

/** Where two texts part, with a little of each. */
function firstDifference(before: string, after: string): string {
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  const from = Math.max(0, at - 40)
  return `Recorded: …${before.slice(from, at + 60)}… Now: …${after.slice(from, at + 60)}…`
}
