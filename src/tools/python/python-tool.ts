import * as z from 'zod'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** What the tool needs. */
export interface PythonToolOptions {
  /** Shared with everything that runs untrusted code, so that at most two run at once. */
  readonly sandbox: Sandbox
}

const maxCodeCharacters = 50_000
/** Two preceding runs at their limits, its own, and the starts of their processes. */
const codeTimeoutMs = 120_000

/**
 * A tool that runs Python without files, network or processes. Each call starts fresh. Exceptions and exceeded limits
 * are results; it fails only if Python cannot be started.
 */
export function createPythonTool({ sandbox }: PythonToolOptions): Tool {
  return defineTool({
    name: 'python',
    description: [
      'Runs Python 3 code and returns what it prints, the value of its last expression, and its error with the line.',
      'Standard library only: no numpy, no pip, no files of the user, no network, threads, asyncio or input().',
      'Each call starts afresh: nothing is kept from the one before. Random numbers are the same each time.',
      'To draw: plot.line(xs, ys), plot.scatter(xs, ys), plot.bar(labels, heights), plot.hist(values, bins=10), each with',
      'title=, x_label= and y_label=.',
    ].join(' '),
    input: z.object({
      code: z.string().min(1).max(maxCodeCharacters).describe('The Python code.'),
    }),
    // It may read the clock; nothing outside is changed.
    effect: 'read',
    timeoutMs: codeTimeoutMs,
    async execute({ code }, { signal }) {
      const result = await sandbox.run({ language: 'python', code }, signal)
      const { output, value, error, figures } = result
      return { stdout: output, value, error: error === null ? null : { ...error }, figures }
    },
  })
}
