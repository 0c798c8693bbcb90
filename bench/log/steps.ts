import { join } from 'node:path'
import type { RunContext } from '../../src/kernel/run/run-context.ts'
import { openDatabase } from '../../src/stores/sqlite/database.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { median } from '../timing.ts'
import { newContext, pureStep, stepOutput } from './fixture.ts'

/** Steps in the log and plain rows of the same size: medians in microseconds. */
export interface StepTimings {
  readonly plainNormal: number
  readonly pureStep: number
  readonly plainFull: number
  readonly paidStep: number
  readonly writeStep: number
}

interface Contender {
  readonly once: (index: number) => unknown
  readonly close: () => unknown
  readonly timesUs: number[]
}

/**
 * Times steps and plain rows in alternating blocks, so that a disk that slows down slows all of them.
 * The first block of each is not counted.
 */
export async function timeSteps(folder: string, blocks: number): Promise<StepTimings> {
  const contenders = {
    plainNormal: plainRows(join(folder, 'plain-normal.db'), 'NORMAL'),
    pureStep: await stepsInLog(join(folder, 'pure.db'), pureStep),
    plainFull: plainRows(join(folder, 'plain-full.db'), 'FULL'),
    paidStep: await stepsInLog(join(folder, 'paid.db'), (context, index) =>
      context.step(`step-${index}`, 'read', { index }, async () => stepOutput, { isPaid: true }),
    ),
    writeStep: await stepsInLog(join(folder, 'write.db'), (context, index) =>
      context.step(`step-${index}`, 'write', { index }, async () => stepOutput),
    ),
  }
  for (let block = 0; block <= blocks; block++) {
    for (const contender of Object.values(contenders)) await timeBlock(contender, block)
  }
  for (const contender of Object.values(contenders)) await contender.close()
  const timings = Object.entries(contenders).map(([name, { timesUs }]) => [name, median(timesUs)])
  return Object.fromEntries(timings) as StepTimings
}

const blockLength = 250

async function timeBlock({ once, timesUs }: Contender, block: number): Promise<void> {
  for (let index = 0; index < blockLength; index++) {
    const start = process.hrtime.bigint()
    await once(block * blockLength + index)
    if (block > 0) timesUs.push(Number(process.hrtime.bigint() - start) / 1_000)
  }
}

function plainRows(path: string, synchronous: 'NORMAL' | 'FULL'): Contender {
  const db = openDatabase(path)
  db.exec(
    `PRAGMA synchronous = ${synchronous}; CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)`,
  )
  const insert = db.prepare('INSERT INTO rows (text) VALUES (?)')
  return {
    once: () => insert.run(JSON.stringify(stepOutput)),
    close: () => db.close(),
    timesUs: [],
  }
}

async function stepsInLog(
  path: string,
  step: (context: RunContext, index: number) => Promise<unknown>,
): Promise<Contender> {
  const store = openRunStore(path)
  const context = await newContext(store, 'steps')
  return { once: (index) => step(context, index), close: () => store.close(), timesUs: [] }
}
