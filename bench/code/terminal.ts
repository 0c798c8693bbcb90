/*
 * Memory of a session at a terminal while it waits at its prompt and while it is answered: node bench/code/terminal.ts. Needs tmux.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hasTmux, TerminalScreen } from '../../test/code/terminal-screen.ts'

const targetMb = 120
const waits = /^(?![\s\S]*esc stops it)[\s\S]*\n>\n {2}openai:m[^\n]*$/

/** A model that streams so many chunks; its address. */
async function startModel(chunks: number): Promise<{ child: ChildProcess; url: string }> {
  const server = fileURLToPath(new URL('stream-server.ts', import.meta.url))
  const child = spawn(process.execPath, [server, String(chunks), '2'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const url of createInterface({ input: child.stdout as Readable }))
    return { child, url }
  throw new Error('The server printed nothing.')
}

/** Resident memory of a process, now and at most since it began. MB. */
function memoryOf(pid: number): { nowMb: number; mostMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { nowMb: field('VmRSS'), mostMb: field('VmHWM') }
}

async function measure(chunks: number): Promise<Record<string, number>> {
  const { child, url } = await startModel(chunks)
  const screen = new TerminalScreen(100, 40, { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'none' })
  try {
    await screen.until('$')
    screen.scholium('code --model openai:m')
    await screen.until(waits)
    const shell = screen.value('pane_pid')
    const pid = Number(execFileSync('pgrep', ['-P', shell], { encoding: 'utf8' }))
    const idleMb = async () => {
      await sleep(2_000)
      return memoryOf(pid).nowMb
    }
    const first = await idleMb()
    const turns: number[] = []
    for (let turn = 1; turn <= 4; turn++) {
      screen.enter(`request ${turn}`)
      await screen.until('esc stops it')
      await screen.until(waits, 120_000)
      turns.push(await idleMb())
    }
    const later = await sleep(20_000).then(idleMb)
    const [one = 0, , , four = 0] = turns
    const { mostMb } = memoryOf(pid)
    return {
      'at the first prompt': first,
      'after one turn': one,
      'after four': four,
      '20 s later': later,
      'at most': mostMb,
    }
  } finally {
    screen.close()
    child.kill()
  }
}

if (hasTmux()) {
  let isMet = true
  for (const chunks of [20, 2_000]) {
    const measured = await measure(chunks)
    isMet &&= Object.entries(measured).every(([name, mb]) => name === 'at most' || mb <= targetMb)
    const words = Object.entries(measured).map(([name, mb]) => `${name} ${mb.toFixed(0)} MB`)
    console.log(
      `answers of ${chunks} chunks: ${words.join(', ')} (target when it waits: ${targetMb})`,
    )
  }
  process.exitCode = isMet ? 0 : 1
} else {
  console.log('There is no tmux: nothing was measured.')
}
