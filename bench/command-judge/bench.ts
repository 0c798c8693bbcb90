import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Bench, BenchSize } from '../bench.ts'
import type { FuzzReport } from './fuzz.ts'

/** `npm run test:long` fuzzes with 500,000. */
const lines: Readonly<Record<BenchSize, number>> = { smoke: 100, quick: 10_000, full: 50_000 }

/** Whether hostile command lines that are allowed without asking only read what is open: they are really run. */
export const bench: Bench = {
  title: 'Commands allowed without asking',
  needs: ['bash'],
  async run({ size }) {
    const script = fileURLToPath(new URL('./fuzz.ts', import.meta.url))
    const child = spawn(process.execPath, [script, '--lines', String(lines[size])], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
    const { outsideEffects, run, distinct, judgedMs, isTraced }: FuzzReport = JSON.parse(output)
    if (!isTraced) console.log('command-judge: not traced, since strace is missing')
    for (const effect of outsideEffects) console.log(JSON.stringify(effect))
    const of = `of ${distinct.toLocaleString('en')} distinct lines`
    return [
      {
        what: `effects besides reading what is open, ${of}`,
        value: outsideEffects.length,
        target: { atMost: 0 },
      },
      { what: `allowed, ${of}`, value: run / distinct, target: { atLeast: 0.05 } },
      { what: 'a line made and judged', value: (judgedMs / lines[size]) * 1_000, unit: 'µs' },
    ]
  },
}
