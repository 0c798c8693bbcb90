import { withApp } from '../../arguments/app-settings.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { printResult } from '../../render/print.ts'

/** `scholium graph`. */
export const runGraph: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { mermaid, picture } = await app.drawGraph()
    printResult(invocation, picture, () => mermaid)
    return 0
  })
