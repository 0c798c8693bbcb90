/*
 * How soon a coding session takes its first prompt, what it needs while it waits, and what it adds to each chunk that a model
 * streams: node bench/code/session.ts. The parts are measured in processes of their own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const chunks = 600
const everyMs = 5
const starts = 9
const root = mkdtempSync(join(tmpdir(), 'scholium-bench-'))
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? 0

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as Readable })) return line
  throw new Error('The process printed nothing.')
}

async function idle(): Promise<{ promptMs: number; cpuMs: number; rssMb: number }> {
  const child = spawn(process.execPath, [file('idle.ts'), root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(await firstLine(child))
}

/** Milliseconds from the server's write of each chunk until it is heard: by a plain fetch, and by a listener of a session. */
async function delays(): Promise<{ plain: number[]; session: number[] }> {
  const server = spawn(
    process.execPath,
    [file('stream-server.ts'), String(chunks), String(everyMs)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    const url = await firstLine(server)
    const child = spawn(process.execPath, [file('streamed.ts'), root, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return JSON.parse(await firstLine(child))
  } finally {
    server.kill()
  }
}

try {
  const idles = []
  await idle()
  for (let index = 0; index < starts; index++) idles.push(await idle())
  const prompts = idles.map(({ promptMs }) => promptMs)
  const cpu = idles.map(({ cpuMs }) => cpuMs)
  const rss = idles.map(({ rssMb }) => rssMb)
  const { plain, session } = await delays()
  const added = quantile(session, 0.99) - quantile(plain, 0.99)
  console.log(
    `first prompt after the start of node: median ${quantile(prompts, 0.5).toFixed(0)} ms, worst ${Math.max(...prompts).toFixed(0)} ms of ${starts}, processor time ${quantile(cpu, 0.5).toFixed(0)} ms (target 300)`,
  )
  console.log(
    `idle memory: median ${quantile(rss, 0.5).toFixed(0)} MB, worst ${Math.max(...rss).toFixed(0)} MB (target 120)`,
  )
  console.log(
    `a chunk of a stream, ${session.length} chunks: p50 ${quantile(session, 0.5).toFixed(2)} ms, p99 ${quantile(session, 0.99).toFixed(2)} ms; plain fetch p50 ${quantile(plain, 0.5).toFixed(2)} ms, p99 ${quantile(plain, 0.99).toFixed(2)} ms; added at p99 ${added.toFixed(2)} ms (target 5)`,
  )
  const isMet = quantile(prompts, 0.5) <= 300 && quantile(rss, 0.5) <= 120 && added <= 5
  process.exitCode = isMet ? 0 : 1
} finally {
  rmSync(root, { recursive: true, force: true })
}
