import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { TerminalScreen } from '../../test/code/terminal-screen.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { start, talk } from '../processes.ts'

interface Answer {
  readonly chunks: number
  readonly everyMs: number
}

interface Amounts {
  /** How many chunks an answer has, and the time between two of them. */
  readonly answers: readonly Answer[]
  readonly turns: number
  /** How long a session waits at its prompt before its memory is measured. */
  readonly waitMs: number
  readonly laterMs: number
}

const [short, long]: readonly [Answer, Answer] = [
  { chunks: 20, everyMs: 50 },
  { chunks: 2_000, everyMs: 2 },
]
const amounts: Readonly<Record<BenchSize, Amounts>> = {
  smoke: { answers: [short], turns: 1, waitMs: 0, laterMs: 0 },
  quick: { answers: [short], turns: 4, waitMs: 2_000, laterMs: 0 },
  full: { answers: [short, long], turns: 4, waitMs: 2_000, laterMs: 20_000 },
}
const answerTimeoutMs = 120_000

/** What the screen shows while a session waits for a prompt. */
const prompt = /^(?![\s\S]*esc to stop)[\s\S]*\n>\n {2}openai:m[^\n]*$/

/** Memory of a coding session at a real terminal while it waits for a prompt, after some turns. */
export const bench: Bench = {
  title: 'The coding agent at a terminal',
  needs: ['tmux', 'pgrep'],
  async run({ size }) {
    const measures: Measure[] = []
    for (const answer of amounts[size].answers)
      measures.push(...(await measureSession(answer, amounts[size])))
    return measures
  },
}

async function measureSession(
  { chunks, everyMs }: Answer,
  { turns, waitMs, laterMs }: Amounts,
): Promise<readonly Measure[]> {
  const server = start(
    new URL('../code/stream-server.ts', import.meta.url),
    String(chunks),
    String(everyMs),
  )
  const url = await talk<string>(server)
  const screen = new TerminalScreen(100, 40, { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'none' })
  try {
    await screen.until('$')
    screen.scholium('code --model openai:m')
    await screen.until(prompt)
    const shell = screen.value('pane_pid')
    const pid = Number(execFileSync('pgrep', ['-P', shell], { encoding: 'utf8' }))
    const measures: Measure[] = []
    const measureNow = async (when: string, afterMs = waitMs) => {
      await sleep(afterMs)
      measures.push(row(`${when}, answers of ${chunks} chunks`, memoryMb(pid, 'VmRSS'), 120))
    }
    await measureNow('at the first prompt')
    for (let turn = 1; turn <= turns; turn++) {
      screen.enter(`request ${turn}`)
      await screen.until('esc to stop')
      await screen.until(prompt, answerTimeoutMs)
      if (turn === 1 || turn === turns) await measureNow(`after ${turn} turns`)
    }
    if (laterMs > 0) await measureNow(`${laterMs / 1_000} s later`, laterMs)
    return [...measures, row(`at most, answers of ${chunks} chunks`, memoryMb(pid, 'VmHWM'))]
  } finally {
    screen.close()
    server.kill()
  }
}

function row(when: string, value: number, atMost?: number): Measure {
  const measure = { what: `memory ${when}`, value, unit: 'MB' }
  return atMost === undefined ? measure : { ...measure, target: { atMost } }
}

/** Resident memory of a process, now (`VmRSS`) or at most since its start (`VmHWM`). */
function memoryMb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024
}
