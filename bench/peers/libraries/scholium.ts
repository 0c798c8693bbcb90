import { join } from 'node:path'
import { bindModel, openRunStore, runAgentLoop } from '../../model-call/agent-run.ts'
import type { OpenLibrary } from '../library.ts'

export const open: OpenLibrary = async ({ url, folder, isStored }) => {
  const store = openRunStore(isStored ? join(folder, 'runs.db') : ':memory:')
  const [whole, streamed] = [bindModel(url, false), bindModel(url, true)]
  let runs = 0
  return async (isStreamed) => {
    await runAgentLoop(store, `run-${runs++}`, isStreamed ? streamed : whole)
  }
}
