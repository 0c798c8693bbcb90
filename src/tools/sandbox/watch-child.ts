import { ScholiumError } from '../../kernel/errors.ts'
import { type ChildLine, type ChildResult, childLine } from './child-lines.ts'
import { maxLineCharacters } from './sandbox-limits.ts'
import type { SandboxChild } from './spawn-child.ts'

/** How a child's output ended. */
export type ChildEnd =
  | { readonly how: 'done'; readonly result: ChildResult }
  | { readonly how: 'timed_out' }
  | { readonly how: 'out_of_memory' }
  | { readonly how: 'crashed'; readonly detail: string }

/** A child's state, from its lines and its end. */
export interface WatchedChild {
  /**
   * Resolves when it accepts code.
   * @throws {@link ScholiumError} `tool_failed` if it never does
   */
  ready(): Promise<void>
  /** Before a run: discards earlier output; resolves when the run has ended. */
  begin(): Promise<ChildEnd>
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>
  /** Output so far. */
  output(): string
}

const maxStderrCharacters = 4_000

/**
 * Watches a child whose lines carry the nonce; any other line comes from untrusted code, and ends it.
 * @param onSnapshotRefused called if its language could not start from a snapshot
 */
export function watchChild(
  child: SandboxChild,
  nonce: string,
  onSnapshotRefused: () => void,
): WatchedChild {
  let ready = readiness()
  let ended = Promise.withResolvers<ChildEnd>()
  const gone = Promise.withResolvers<void>()
  let output = ''
  let complaint = ''
  let isOver = false
  /** Permanent: seen by current and later callers. */
  const end = (as: ChildEnd) => {
    if (isOver) return
    isOver = true
    ended.resolve(as)
    const error = notStarted(as)
    ready.reject(error)
    ready = readiness()
    ready.reject(error)
  }
  const heed = (line: ChildLine | undefined) => {
    if (line?.type === 'ready') ready.resolve()
    else if (line?.type === 'snapshot_refused') onSnapshotRefused()
    else if (line?.type === 'output') output += line.text
    else if (line?.type === 'done') {
      output += line.rest
      if (!isOver) ready = readiness()
      ended.resolve({ how: 'done', result: line.result })
    } else if (line?.type === 'failed') end({ how: 'crashed', detail: line.message })
    else {
      end({ how: 'crashed', detail: 'It sent something that is not a result.' })
      child.kill('SIGKILL')
    }
  }
  readLines(child, (line) => heed(line === undefined ? undefined : childLine(line, nonce)))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-maxStderrCharacters)
  })
  child.stdin.on('error', () => {})
  child.once('error', (error) => {
    end({ how: 'crashed', detail: error.message })
    gone.resolve()
  })
  child.once('close', (code, signal) => {
    end(toChildEnd(code, signal, complaint))
    gone.resolve()
  })
  return {
    ready: () => ready.promise,
    begin() {
      output = ''
      if (!isOver) ended = Promise.withResolvers<ChildEnd>()
      return ended.promise
    },
    gone: gone.promise,
    output: () => output,
  }
}

function notStarted(end: ChildEnd): ScholiumError {
  const detail = end.how === 'crashed' ? end.detail : 'It ended.'
  return new ScholiumError('tool_failed', `The sandbox did not start. ${detail}`, {
    retryable: true,
  })
}

function readiness(): PromiseWithResolvers<void> {
  const made = Promise.withResolvers<void>()
  // Nobody may be waiting for a spare process that fails.
  made.promise.catch(() => {})
  return made
}

/** Calls back with each complete line, and `undefined` for one that is too long. */
function readLines(child: SandboxChild, heed: (line: string | undefined) => void): void {
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${text}${chunk}`.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) heed(line)
    if (text.length > maxLineCharacters) heed(undefined)
  })
}

function toChildEnd(
  code: number | null,
  signal: NodeJS.Signals | null,
  complaint: string,
): ChildEnd {
  if (signal === 'SIGXCPU') return { how: 'timed_out' }
  if (/out of memory|allocation failed/i.test(complaint)) return { how: 'out_of_memory' }
  const why = signal === null ? `with code ${code}` : `by ${signal}`
  const said = complaint.trim().split('\n').at(-1) ?? ''
  return { how: 'crashed', detail: `Its process ended ${why}.${said === '' ? '' : ` ${said}`}` }
}
