import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** One command line, as a process of its own would be given it. */
export interface WarmCall {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Its bytes in base64. */
  readonly stdin: string
}

/** How it ended. */
export interface WarmOutcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

const file = fileURLToPath(new URL('./warm-process.ts', import.meta.url))
/** Those that wait for a command. Each command has a process to itself while it runs. */
const idle: ChildProcess[] = []

/** Runs a command line in a process that ran others before it. @throws what the process printed, where it died */
export async function runWarm(call: WarmCall): Promise<WarmOutcome> {
  const child = idle.pop() ?? start()
  let printed = ''
  const print = (chunk: unknown) => (printed += chunk)
  child.stderr?.on('data', print)
  hold(child, 'ref')
  try {
    const stop = new AbortController()
    const { signal } = stop
    const ended = once(child, 'message', { signal }) as Promise<[WarmOutcome]>
    const died = once(child, 'exit', { signal }).then(([code, by]) => {
      throw new Error(
        `scholium ${call.args.join(' ')} ended its process (${by ?? code}): ${printed}`,
      )
    })
    died.catch(() => {})
    ended.catch(() => {})
    child.send(call)
    const [outcome] = await Promise.race([ended, died]).finally(() => stop.abort())
    idle.push(child)
    return outcome
  } finally {
    child.stderr?.off('data', print)
    hold(child, 'unref')
  }
}

function start(): ChildProcess {
  return fork(file, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
}

/** Only a command that runs keeps the test's process up. */
function hold(child: ChildProcess, how: 'ref' | 'unref'): void {
  child[how]()
  child.channel?.[how]()
  const { stderr } = child as { stderr: { ref?(): void; unref?(): void } | null }
  stderr?.[how]?.()
}
