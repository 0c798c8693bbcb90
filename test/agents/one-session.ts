import type { Sandbox } from '../../src/tools/sandbox/sandbox.ts'

/**
 * The sandbox, with one session for all who open one and for single runs: for tests that ask nothing of a fresh interpreter,
 * which takes up to a second of work to start.
 */
export function withOneSession(sandbox: Sandbox): Sandbox {
  const session = sandbox.openSession()
  const lent = { run: session.run, close: async () => {} }
  return { ...sandbox, run: session.run, openSession: () => lent }
}
