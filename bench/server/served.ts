import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** The token of the servers that are measured. */
export const token = 'token-of-the-bench'

const observer = new URL('./commits.ts', import.meta.url).href
const commitsFile = (folder: string) => join(folder, 'commits.json')

const command = fileURLToPath(new URL('../../bin/scholium.js', import.meta.url))

/** What a server is started with. */
export interface ServedOptions {
  /** Where its home is. */
  readonly folder: string
  /** Where its model is. Absent: the built-in engine. */
  readonly modelUrl?: string
  readonly maxRuns: number
}

/** `scholium serve` as a process. */
export class Served {
  readonly url: string
  private readonly child: ChildProcess

  private readonly folder: string

  private constructor(child: ChildProcess, url: string, folder: string) {
    this.child = child
    this.url = url
    this.folder = folder
  }

  static async start({ folder, modelUrl, maxRuns }: ServedOptions): Promise<Served> {
    const model = modelUrl === undefined ? [] : ['--model', 'openai-compatible:bench']
    const child = spawn(
      process.execPath,
      [
        '--import',
        observer,
        command,
        'serve',
        '--port',
        '0',
        '--quiet',
        '--max-runs',
        `${maxRuns}`,
        ...model,
      ],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          SCHOLIUM_HOME: `${folder}/home`,
          SCHOLIUM_TOKEN: token,
          OPENAI_BASE_URL: modelUrl ?? '',
          OPENAI_API_KEY: 'key-of-the-bench',
          BENCH_COMMITS: commitsFile(folder),
        },
      },
    )
    // The bench has ended, however it did.
    process.on('exit', () => child.kill('SIGKILL'))
    for await (const line of createInterface({ input: child.stdout as Readable }))
      return new Served(child, line.replace('Scholium listens at ', ''), folder)
    throw new Error('The server did not start.')
  }

  /** Milliseconds of processor time since its start. */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
    return ((Number(fields?.[11]) + Number(fields?.[12])) * 1_000) / ticksPerSecond
  }

  /** Resident memory, now (`VmRSS`) or at most since its start (`VmHWM`). */
  memoryMb(field: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024
  }

  /** Ends it. Returns when it committed each event: milliseconds since 1970, by `runId seq`. */
  async stop(): Promise<ReadonlyMap<string, number>> {
    const closed = once(this.child, 'close')
    this.child.kill('SIGTERM')
    await closed
    const commits: readonly (readonly [string, number, number])[] = JSON.parse(
      readFileSync(commitsFile(this.folder), 'utf8'),
    )
    return new Map(commits.map(([runId, seq, atMs]) => [`${runId} ${seq}`, atMs]))
  }
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
