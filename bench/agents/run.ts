/*
 * What an agent file costs beside what it does: node bench/agents/run.ts [FOLDER]
 * FOLDER is on the disk on which the log is written; default: the system's temporary folder.
 * Exits with 1 when a target is missed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { timeNodes } from './nodes.ts'
import { timePython } from './python.ts'

const maxMsPerNode = 1

const folder = await mkdtemp(join(process.argv[2] ?? tmpdir(), 'scholium-bench-agents-'))
try {
  const { medianMs, p95Ms, plainMs, firstMs, nodes } = await timeNodes(folder)
  const { oneMs, fiveMs } = await timePython()
  const perNode = medianMs / nodes
  const isMissed = perNode >= maxMsPerNode
  console.log('| what | measured | beside | target | |\n|---|---|---|---|---|')
  console.log(
    `| run of ${nodes} nodes without models, a node | ${perNode.toFixed(3)} ms (p95 ${(p95Ms / nodes).toFixed(3)}) | ${plainMs.toFixed(2)} ms of the run are its start and end alone; ${firstMs.toFixed(0)} ms for the first run of a process | < ${maxMsPerNode} ms | ${isMissed ? 'MISSED' : 'ok'} |`,
  )
  const isPaidOnce = fiveMs < 2 * oneMs
  console.log(
    `| file with five Python nodes | ${fiveMs.toFixed(0)} ms | ${oneMs.toFixed(0)} ms with one | < twice as long | ${isPaidOnce ? 'ok' : 'MISSED'} |`,
  )
  if (isMissed || !isPaidOnce) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
