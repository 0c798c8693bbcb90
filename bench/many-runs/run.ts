/*
 * Whether many questions in one process keep apart and leave nothing behind: node bench/many-runs/run.ts [COUNT]
 * Exits with 1 when one of them knows of another, differs from the same question asked alone, or memory grows by more than it may.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/index.ts'
import { askAll, askOne, comparable, type Held, heldMemory, plant, problemsOf } from './crowd.ts'

const count = Number(process.argv[2] ?? 1_000)
const atOnce = 50
const warmUp = 100
const maxGrowthMb = 5

const folder = mkdtempSync(join(tmpdir(), 'scholium-bench-many-runs-'))
const appIn = (home: string) => createApp({ home: join(folder, home), environment: {} })
const inMb = (bytes: number) => bytes / 1_000_000
const told = ({ heapBytes, rssBytes }: Held) =>
  `heap ${inMb(heapBytes).toFixed(1)} MB, resident ${inMb(rssBytes).toFixed(0)} MB`

try {
  const app = appIn('together')
  await askAll(app, plant(join(folder, 'first'), 0, warmUp), atOnce)
  const questions = plant(join(folder, 'sources'), warmUp, count)
  const before = await heldMemory()

  const problems: string[] = []
  const runIds = new Set<string>()
  const startedAt = performance.now()
  await askAll(app, questions, atOnce)
  const askingMs = performance.now() - startedAt
  const after = await heldMemory()

  // Asked again, so that nothing of this is in the memory that was measured.
  const alone = appIn('alone')
  const together: [string, string][] = []
  await askAll(app, questions, atOnce, async (planted, answer) => {
    together.push([planted.name, comparable(answer)])
    problems.push(...(await problemsOf(app, planted, answer, runIds)))
  })
  const answers = new Map(together)
  for (const planted of questions)
    if (comparable(await askOne(alone, planted)) !== answers.get(planted.name))
      problems.push(`${planted.name}: alone it has another answer`)
  await app.close()
  await alone.close()

  const growthMb = inMb(after.heapBytes - before.heapBytes)
  console.log(`${count} questions, ${atOnce} at once: ${(askingMs / 1_000).toFixed(1)} s`)
  console.log(`each: ${(askingMs / count).toFixed(1)} ms`)
  console.log(`after ${warmUp} questions: ${told(before)}`)
  console.log(`after ${warmUp + count} questions: ${told(after)}`)
  console.log(`heap: ${growthMb.toFixed(1)} MB more (at most ${maxGrowthMb})`)
  console.log(`mixed up, wrong or other than alone: ${problems.length}`)
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`)
  if (problems.length > 0 || growthMb > maxGrowthMb) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
