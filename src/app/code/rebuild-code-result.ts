import { foldSession } from '../../code/code.ts'
import { toCodeResult } from '../../code/result.ts'
import type { CodeInput } from '../../code/settings.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { maxLookups } from '../../observe/bundle/limits.ts'
import type { RebuiltResult } from '../../observe/bundle/result-check.ts'
import { openResult, readEnds, rebuildSafely, wrongResult } from '../runs/rebuild-result.ts'

/** Rebuilds the result of a session from its turns' ends, with the workflow's own code. */
export async function rebuildCodeResult(events: AsyncIterable<RunEvent>): Promise<RebuiltResult> {
  const { input, ends } = await readEnds(events)
  if (input === undefined) return wrongResult('the log does not contain the start of the session.')
  return rebuildSafely(() => {
    if (isTooMuch(ends)) return openResult('it would take too long')
    const state = foldSession(input as CodeInput, ends)
    if (!state.hasEnded)
      return wrongResult('the log does not contain the turn that ended the session.')
    const { status, stopReason, filesChanged, ...others } = toCodeResult(state)
    return {
      recorded: { failure: null, ...others },
      judged: { status, stopReason, filesChanged },
      problems: [],
    }
  })
}

/** Whether rebuilding would take minutes, which no real session does: each turn's end copies the past. */
function isTooMuch(ends: readonly RunEvent[]): boolean {
  const sizes = ends.map(({ output }) => (isJsonObject(output) ? countIn(output) : 0))
  return ends.length * sizes.reduce((sum, size) => sum + size, ends.length) > maxLookups
}

/** How much a turn's end adds to growing lists. */
function countIn({ messages, files, hashes }: JsonObject): number {
  const added = isJsonObject(messages) ? messages.added : messages
  return (
    countItems(added) + countItems(files) + (isJsonObject(hashes) ? Object.keys(hashes).length : 0)
  )
}

function countItems(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0
}
