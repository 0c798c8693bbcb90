import { runPlainLoop } from '../../model-call/plain-loop.ts'
import type { OpenLibrary } from '../library.ts'

export const open: OpenLibrary =
  async ({ url }) =>
  async (isStreamed) => {
    await runPlainLoop(url, isStreamed)
  }
