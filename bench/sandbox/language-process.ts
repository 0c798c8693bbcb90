// What a sandbox costs in one language: LANGUAGE. In a process of its own, so that nothing else has made it grow.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxLanguage } from '../../src/tools/sandbox/language-package.ts'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'
import { median, timeMs } from '../timing.ts'

/** What is measured. */
export interface LanguageOrder {
  readonly rounds: number
  /** How long a spare process is given to start. */
  readonly spareMs: number
  /** The time limit of code that fills memory or output. */
  readonly wallMs: number
}

/** Medians, and the most that this process grew by. */
export interface LanguageTold {
  readonly growthMb: number
  readonly firstMs: number
  readonly spareMs: number
  readonly sessionMs: number
  /** Resident memory of a sandbox's process; absent without `/proc`. */
  readonly idleMb?: number
}

const sessionCalls = 20
const sampleMs = 10
const never = new AbortController().signal

const additions: Readonly<Record<SandboxLanguage, string>> = {
  python: 'state["value"] + 1',
  lua: 'return state.value + 1',
  prolog: 'state(value, V), X is V + 1.',
  javascript: 'state.value + 1',
}

/** Code that fills memory, then its output, then its value, without end or with 20 MB. */
const bombs: Readonly<Record<SandboxLanguage, readonly string[]>> = {
  python: [
    'f = open("/tmp/f", "wb")\nwhile True: f.write(b"x" * 20_000_000)',
    'while True: print("x" * 1000)',
    '["x" * 1000] * 20_000',
  ],
  lua: [
    'local t = {} while true do t[#t + 1] = string.rep("x", 1000000) .. #t end',
    'while true do print(string.rep("x", 1000)) end',
    'return string.rep("x", 20000000)',
  ],
  prolog: [
    'length(L, 100000000).',
    'repeat, writeln(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx), fail.',
    'numlist(1, 200000, L).',
  ],
  javascript: [
    'const kept = []; for (;;) kept.push(new Uint8Array(1e6).fill(1))',
    'for (;;) console.log("x".repeat(1000))',
    '"x".repeat(20000000)',
  ],
}

const language = process.argv[2] as SandboxLanguage
const addition = { language, code: additions[language], input: { state: { value: 1 } } }

process.once('message', async (order: LanguageOrder) => {
  // First, while this process has grown by nothing else.
  const growthMb = await measureGrowthMb(order.wallMs)
  const told: LanguageTold = { growthMb, ...(await measureCalls(order)) }
  process.send?.(told)
})

async function measureGrowthMb(wallMs: number): Promise<number> {
  const sandbox = createSandbox({ limits: { wallMs } })
  const session = sandbox.openSession()
  await session.run(addition, never)
  const before = process.memoryUsage.rss()
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, sampleMs)
  for (const code of bombs[language]) await session.run({ language, code }, never)
  clearInterval(sampling)
  await sandbox.close()
  return (most - before) / 2 ** 20
}

async function measureCalls({
  rounds,
  spareMs,
}: LanguageOrder): Promise<Omit<LanguageTold, 'growthMb'>> {
  const first: number[] = []
  const spare: number[] = []
  const inSession: number[] = []
  const idleMb: number[] = []
  for (let round = 0; round < rounds; round++) {
    const sandbox = createSandbox()
    first.push(await timeMs(() => sandbox.run(addition, never)))
    await sleep(spareMs)
    idleMb.push(...childrenMb())
    spare.push(await timeMs(() => sandbox.run(addition, never)))
    const session = sandbox.openSession()
    await session.run(addition, never)
    for (let call = 0; call < sessionCalls; call++)
      inSession.push(await timeMs(() => session.run(addition, never)))
    await sandbox.close()
  }
  return {
    firstMs: median(first),
    spareMs: median(spare),
    sessionMs: median(inSession),
    ...(idleMb.length > 0 && { idleMb: median(idleMb) }),
  }
}

/** Resident megabytes of each process that this one has started; none without `/proc`. */
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
