// node bench/sandbox/run.ts [LANGUAGE …]
// What a sandbox costs, by language: a first call, a call that finds a spare process, a call in a session, the memory of a
// process; and what this process itself grows by while foreign code fills memory and output.
import { readdirSync, readFileSync } from 'node:fs'
import { type SandboxLanguage, sandboxLanguages } from '../../src/tools/sandbox/language-package.ts'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'

const rounds = 5
const sessionRuns = 20
const settleMs = 4_000
const sampleMs = 10
const never = new AbortController().signal

const one: Readonly<Record<SandboxLanguage, string>> = {
  python: 'state["value"] + 1',
  lua: 'return state.value + 1',
  prolog: 'state(value, V), X is V + 1.',
  javascript: 'state.value + 1',
}

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

const ms = (values: readonly number[]) => `${median(values).toFixed(1)} ms`

async function costOf(language: SandboxLanguage): Promise<Record<string, string>> {
  const cold: number[] = []
  const warm: number[] = []
  const inSession: number[] = []
  const idleMb: number[] = []
  const code = { language, code: one[language], input: { state: { value: 1 } } }
  for (let round = 0; round < rounds; round++) {
    const sandbox = createSandbox()
    cold.push(await timeMs(() => sandbox.run(code, never)))
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    idleMb.push(...childrenMb())
    warm.push(await timeMs(() => sandbox.run(code, never)))
    const session = sandbox.openSession()
    await session.run(code, never)
    for (let index = 0; index < sessionRuns; index++) {
      inSession.push(await timeMs(() => session.run(code, never)))
    }
    await sandbox.close()
  }
  return {
    'first call': ms(cold),
    'with a spare process': ms(warm),
    'in a session': ms(inSession),
    'memory of a process': idleMb.length === 0 ? 'not read' : `${Math.round(median(idleMb))} MB`,
  }
}

/** What the host may grow by. */
const mostGrowthMb = 50

/** The most that this process grew by while code filled memory, output and its value, in megabytes. */
async function hostGrowthMb(language: SandboxLanguage): Promise<string> {
  const sandbox = createSandbox({ limits: { wallMs: 3_000 } })
  const session = sandbox.openSession()
  await session.run({ language, code: one[language], input: { state: { value: 1 } } }, never)
  const before = process.memoryUsage.rss()
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, sampleMs)
  const ends: string[] = []
  for (const code of bombs[language]) {
    const { error } = await session.run({ language, code }, never)
    ends.push(error?.type ?? 'no error')
  }
  clearInterval(sampling)
  await sandbox.close()
  const growthMb = Math.round((most - before) / 1_048_576)
  if (growthMb > mostGrowthMb) process.exitCode = 1
  return `${growthMb} MB (${ends.join(', ')})`
}

const asked = process.argv.slice(2)
for (const language of sandboxLanguages.filter(
  (name) => asked.length === 0 || asked.includes(name),
)) {
  console.log(language)
  // First, while the host has grown by nothing else.
  const growth = await hostGrowthMb(language)
  const table = { ...(await costOf(language)), 'growth of the host': growth }
  for (const [what, measured] of Object.entries(table))
    console.log(`  ${what.padEnd(24)} ${measured}`)
}
