import { foldSession } from '../../code/code.ts'
import { toCodeResult } from '../../code/result.ts'
import type { CodeInput } from '../../code/settings.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { maxLookups } from '../../observe/bundle/limits.ts'
import type { RebuiltResult } from '../../observe/bundle/result-check.ts'
import { openResult, readEnds, rebuildSafely, wrongResult } from '../runs/rebuild-result.ts'

/** The result of a session as the ends of its turns say it, by the code that the workflow runs. */
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

/** Whether rebuilding would take minutes, as no session does: each turn's end copies what was before. */
function isTooMuch(ends: readonly RunEvent[]): boolean {
  const sizes = ends.map(({ output }) => (isJsonObject(output) ? countIn(output) : 0))
  return ends.length * sizes.reduce((sum, size) => sum + size, ends.length) > maxLookups
}

/** How much a turn's end adds to lists that grow. */
function countIn({ messages, files, hashes }: JsonObject): number {
  const added = isJsonObject(messages) ? messages.added : messages
  return (
    countItems(added) + countItems(files) + (isJsonObject(hashes) ? Object.keys(hashes).length : 0)
  )
}

function countItems(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0
}
