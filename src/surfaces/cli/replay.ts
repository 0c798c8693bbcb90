import { stepEnds } from '../../kernel/event.ts'
import type { Json } from '../../kernel/json.ts'
import { type OpenApp, withAppOfRun } from './app-settings.ts'
import { differencesBetween } from './differences.ts'
import type { RunCommand } from './invocation.ts'
import { count } from './live-lines.ts'
import { printResult } from './print.ts'
import { oneLine } from './text.ts'

/** `scholium replay`. */
export const runReplay: RunCommand = (invocation) =>
  withAppOfRun(invocation, invocation.words[0] ?? '', async (app, runId) => {
    const startedAt = performance.now()
    const report = await app.replay(runId)
    const wallMs = Math.round(performance.now() - startedAt)
    const { answer, isIdentical, unclaimed } = report
    const recorded = (await app.recordedAnswer(runId)) ?? null
    const differences = isIdentical ? [] : differencesBetween(recorded as Json, answer as Json)
    const steps = await countSteps(app, runId)
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
        (key) => `  the log has the step ${oneLine(key)}, which was not asked for`,
      )
      return [head, ...parts, ...unasked].join('\n')
    })
    return isSame ? 0 : 1
  })

async function countSteps(app: OpenApp, runId: string): Promise<number> {
  const keys = new Set<string>()
  for await (const { key } of app.events(runId, { types: stepEnds, withOutput: false }))
    keys.add(key)
  return keys.size
}
