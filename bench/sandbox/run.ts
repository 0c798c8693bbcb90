// What Python in a process of its own costs: the first call, a call that finds a spare process, the memory of that process.
import { readdirSync, readFileSync } from 'node:fs'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'

const rounds = 5
const settleMs = 6_000
const loop = 'total = 0\nfor i in range(1_000_000): total += i * i % 7\ntotal'
const never = new AbortController().signal

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] as number
}

/** Resident megabytes of each process that this one has started; none where there is no `/proc`. */
function childrenMb(): readonly number[] {
  if (process.platform !== 'linux') return []
  const threads = readdirSync('/proc/self/task')
  const pids = threads.flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return pids.map((pid) => {
    const line = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(line?.[1]) / 1_024
  })
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const cold: number[] = []
const warm: number[] = []
const loops: number[] = []
const idleMb: number[] = []
for (let round = 0; round < rounds; round++) {
  const sandbox = createSandbox()
  const run = (code: string) => sandbox.run({ language: 'python', code }, never)
  const settle = () => new Promise((resolve) => setTimeout(resolve, settleMs))
  cold.push(await timeMs(() => run('1 + 1')))
  await settle()
  idleMb.push(...childrenMb())
  warm.push(await timeMs(() => run('1 + 1')))
  await settle()
  loops.push(await timeMs(() => run(loop)))
  await sandbox.close()
}

const table = {
  'first call': `${Math.round(median(cold))} ms`,
  'call with a spare process': `${Math.round(median(warm))} ms`,
  'the same with a loop of 1,000,000': `${Math.round(median(loops))} ms`,
  'memory of a spare process':
    idleMb.length === 0 ? 'not read' : `${Math.round(median(idleMb))} MB`,
}
for (const [what, measured] of Object.entries(table)) console.log(`${what.padEnd(36)} ${measured}`)
