import { ScholiumError } from '../../../kernel/errors.ts'
import type { Json } from '../../../kernel/json.ts'
import { withApp } from '../../arguments/app-settings.ts'
import { grantOptions, readGrants } from '../../arguments/grant-options.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { oneLine } from '../../render/text.ts'
import { driveFork } from './fork.ts'

/** `scholium replay`. With another model, everything before the first call of its role is taken from the record. */
export const runReplay: RunCommand = (invocation) =>
  invocation.options.has('model') ? replayWithModel(invocation) : replayRecord(invocation)

const replayWithModel: RunCommand = async (invocation) => {
  const { readAskDefaults } = await import('../../../app.ts')
  return withApp(
    invocation,
    async (app, configuration) => {
      const [run = ''] = invocation.words
      const grants = readGrants(invocation.options, readAskDefaults(configuration).web)
      const request = { at: await app.firstChangedCall(run) }
      return driveFork(invocation, app, { run, request, grants })
    },
    'changed',
  )
}

/** Options that apply only if the run is executed. */
const driving = [...drivingOptions, ...grantOptions]
  .map(({ name }) => name)
  .filter((name) => name !== 'model')

const replayRecord: RunCommand = (invocation) => {
  const idle = driving.find((name) => invocation.options.has(name))
  if (idle !== undefined) {
    throw new ScholiumError(
      'invalid_input',
      `A replay executes nothing, so --${idle} has no effect.`,
      {
        hint: 'Omit it, or name another model with --model: the resulting fork accepts limits and trace options.',
      },
    )
  }
  return compareWithRecord(invocation)
}

const compareWithRecord: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const startedAt = performance.now()
    const report = await app.replay(invocation.words[0] ?? '')
    const wallMs = Math.round(performance.now() - startedAt)
    const { runId, answer, recorded, isIdentical, steps, unclaimed } = report
    const differences = isIdentical ? [] : differencesBetween(recorded as Json, answer as Json)
    const isSame = isIdentical && unclaimed.length === 0
    const told = {
      runId,
      isIdentical: isSame,
      steps,
      modelCalls: 0,
      wallMs,
      differences,
      unclaimed,
      answer,
    }
    printResult(invocation, told, () => {
      const head = `identical: ${isSame ? 'yes' : 'no'}, ${count(steps, 'step')}, 0 model calls, ${wallMs} ms`
      const parts = differences.map(
        ({ path, recorded: before, replayed }) =>
          `  ${path}: recorded ${oneLine(before)}, now ${oneLine(replayed)}`,
      )
      const unasked = unclaimed.map(
        (key) => `  the log has the step ${oneLine(key)}, which the replay did not request`,
      )
      return [head, ...parts, ...unasked].join('\n')
    })
    return isSame ? 0 : 1
  })

/** A path at which two values differ, each side as JSON cut to a readable length. */
interface Difference {
  readonly path: string
  readonly recorded: string
  readonly replayed: string
}

const mostDifferences = 10

/** The paths at which two JSON values differ: the outermost ones without equal parts; ten at most. */
export function differencesBetween(recorded: Json, replayed: Json): readonly Difference[] {
  return [...find('', recorded, replayed)].slice(0, mostDifferences)
}

function* find(
  path: string,
  before: Json | undefined,
  after: Json | undefined,
): Generator<Difference> {
  if (before === after) return
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after)) {
    yield {
      path: path === '' ? '(all)' : path,
      recorded: excerpt(before),
      replayed: excerpt(after),
    }
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const place = Array.isArray(before) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    yield* find(place, before[key], after[key])
  }
}

function isBranch(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null
}

const mostCharacters = 120

function excerpt(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`
}
