import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { extname, join, parse, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { withSystemLimits } from '../../sources/files/worker/limited-process.ts'
import { baseMemoryMb } from './child/language.ts'
import type { SandboxLimits } from './sandbox-limits.ts'

/** A child with nothing but its three pipes. */
export type SandboxChild = ChildProcessByStdio<Writable, Readable, Readable>

const pagesPerMb = 16
const heapMb = 128

/** What a child is started with. */
export interface ChildStart {
  readonly packageFolders: readonly string[]
  readonly snapshotPath: string | undefined
  readonly limits: SandboxLimits
  /** How many times the time limit it may use in total. */
  readonly runs: number
}

/**
 * Starts Node under its permission model: it may only read the language's packages, its snapshot and the child's own
 * files. It has no environment, and cannot evaluate text as JavaScript, which is what the bridges of Pyodide and Prolog
 * amount to.
 * @see https://nodejs.org/api/permissions.html
 */
export function spawnChild({
  packageFolders,
  snapshotPath,
  limits,
  runs,
}: ChildStart): SandboxChild {
  // In a build, JavaScript next to this file; in a checkout, TypeScript that Node strips.
  const main = new URL(`./child/main${extname(import.meta.url)}`, import.meta.url)
  // Other threads compile and collect garbage; starting takes 2 to 3 s.
  const cpuSeconds = Math.ceil((2 * limits.wallMs * runs) / 1_000) + 10
  const command = [
    process.execPath,
    '--permission',
    `--allow-fs-read=${fileURLToPath(new URL('.', main))}`,
    ...packageFolders.map((folder) => `--allow-fs-read=${join(folder, sep)}`),
    ...(snapshotPath === undefined ? [] : [`--allow-fs-read=${snapshotPath}`]),
    '--no-warnings',
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    `--max-old-space-size=${heapMb}`,
    `--wasm-max-mem-pages=${(limits.memoryMb - baseMemoryMb) * pagesPerMb}`,
    fileURLToPath(main),
  ] as const
  const [file, ...args] = withSystemLimits(command, cpuSeconds)
  return spawn(file, args, {
    cwd: parse(process.execPath).root,
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
}
