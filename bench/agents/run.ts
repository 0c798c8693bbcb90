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
  const perNode = (medianMs - plainMs) / (nodes - 1)
  const isMissed = perNode >= maxMsPerNode
  console.log('| what | measured | beside | target | |\n|---|---|---|---|---|')
  console.log(
    `| run without models, a node and its log | ${perNode.toFixed(3)} ms | ${medianMs.toFixed(2)} ms the whole run of ${nodes} nodes (p95 ${p95Ms.toFixed(2)}), ${plainMs.toFixed(2)} ms one of one node, ${firstMs.toFixed(0)} ms the first of a process | < ${maxMsPerNode} ms | ${isMissed ? 'MISSED' : 'ok'} |`,
  )
  const isPaidOnce = fiveMs < 2 * oneMs
  console.log(
    `| file with five Python nodes | ${fiveMs.toFixed(0)} ms | ${oneMs.toFixed(0)} ms with one | < twice as long | ${isPaidOnce ? 'ok' : 'MISSED'} |`,
  )
  if (isMissed || !isPaidOnce) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
