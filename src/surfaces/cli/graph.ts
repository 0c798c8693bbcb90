import { withApp } from './app-settings.ts'
import type { RunCommand } from './invocation.ts'
import { printResult } from './print.ts'

/** `scholium graph`. */
export const runGraph: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { mermaid, picture } = app.drawGraph()
    printResult(invocation, picture, () => mermaid)
    return 0
  })
