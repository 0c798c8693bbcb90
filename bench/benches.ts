import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench, BenchSize, Measure } from './bench.ts'

/** All benches, in the order of the document. Each is a folder here with a `bench.ts`. */
export const benchNames: readonly string[] = [
  'start',
  'log',
  'model-call',
  'peers',
  'ask',
  'papers',
  'code',
  'terminal',
  'many-runs',
  'server',
  'trace',
  'reasoning',
  'agents',
  'sandbox',
  'retrieval',
  'html',
  'documents',
  'pdf',
  'claims',
  'citations',
  'csl',
  'tool-text',
  'extractive',
  'qa',
  'command-judge',
]

export async function loadBench(name: string): Promise<Bench> {
  const { bench } = (await import(`./${name}/bench.ts`)) as { readonly bench: Bench }
  return bench
}

/** What a bench needs that is not here; for packages, with the command that installs them. */
export function findMissing({ needs = [] }: Bench): readonly string[] {
  return needs.flatMap((need) => {
    if (need.includes('/')) return isInstalled(need) ? [] : `packages (npm ci --prefix ${need})`
    if (/^[A-Z_]+$/.test(need)) return (process.env[need] ?? '') === '' ? need : []
    return spawnSync('sh', ['-c', `command -v ${need}`]).status === 0 ? [] : need
  })
}

/** Npm writes this file last. */
function isInstalled(folder: string): boolean {
  const file = new URL(`../${folder}/node_modules/.package-lock.json`, import.meta.url)
  return existsSync(file)
}

/**
 * Runs a bench in a process of its own.
 *
 * @param disk - a folder on the disk to measure; what is written there is deleted.
 * @throws if the bench fails, or if it gives a figure that is not a number, or none.
 */
export async function measureApart(
  name: string,
  size: BenchSize,
  disk = tmpdir(),
): Promise<readonly Measure[]> {
  const parent = mkdtempSync(join(disk, 'scholium-bench-'))
  const [folder, output] = [join(parent, 'work'), join(parent, 'measures.json')]
  mkdirSync(folder)
  try {
    const script = fileURLToPath(new URL('./run-one.ts', import.meta.url))
    const child = spawn(process.execPath, [script, name, size, folder, output], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [code, signal] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${name} ended with ${code ?? signal}.`)
    const measures: readonly Measure[] = JSON.parse(readFileSync(output, 'utf8'))
    expectNumbers(name, measures)
    return measures
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

/** In JSON, what is not a number has become `null`. */
function expectNumbers(name: string, measures: readonly Measure[]): void {
  if (measures.length === 0) throw new Error(`${name} measured nothing.`)
  for (const { what, value, yardstick } of measures) {
    const isNumber = Number.isFinite(value) && Number.isFinite(yardstick?.value ?? 0)
    if (!isNumber) throw new Error(`${name}: ${what}: no number.`)
  }
}
