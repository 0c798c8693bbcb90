/*
 * Behind `npm run faults`: kills a process with SIGKILL after every single event of a question, on both drivers, and of agents
 * that write; resumes each run in another process and holds it against a run without faults. Says how many kills there were,
 * how long they took and what went wrong; exits with 1 when something did. Arguments name the subjects; none means all.
 */
import { Homes } from './ask-subject.ts'
import { killAndResume, runClean } from './kill.ts'
import type { KillSubject } from './killed-run.ts'

const all: readonly KillSubject[] = ['extractive', 'scripted', 'sequential', 'post']
const names: Readonly<Record<KillSubject, string>> = {
  extractive: 'ask, extractive',
  scripted: 'ask, scripted model',
  sequential: 'ask, scripted model, one step after the other',
  post: 'agents that write',
}
const atOnce = 2
const tellEvery = 10

async function killEverywhere(subject: KillSubject, homes: Homes): Promise<readonly string[]> {
  const clean = await runClean(subject, homes)
  const problems: string[] = []
  let [next, done] = [1, 0]
  console.log(`${names[subject]}: ${clean.events} events`)
  const work = async () => {
    for (let event = next++; event <= clean.events; event = next++) {
      const kill = { event, isPaused: true }
      const found = await killAndResume(subject, homes, clean, kill, 'a new process')
      for (const problem of found) {
        problems.push(`${names[subject]}, killed after event ${event}: ${problem}`)
        console.log(`  FAILED after event ${event}: ${problem}`)
      }
      if (++done % tellEvery === 0 || done === clean.events)
        console.log(`  ${done} of ${clean.events} kills`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  kills += done
  return problems
}

const given = process.argv.slice(2)
const unknown = given.filter((name) => !all.includes(name as KillSubject))
if (given.includes('--help')) {
  console.log(
    `Usage: npm run faults -- [SUBJECT…]\n\nKills real processes at every event of their runs and resumes them. Subjects: ${all.join(', ')}.`,
  )
  process.exit(0)
}
if (unknown.length > 0) {
  console.error(`There is no subject ${unknown.join(', ')}; there are ${all.join(', ')}.`)
  process.exit(2)
}
let kills = 0
const startedMs = performance.now()
const homes = new Homes()
try {
  await homes.prepare()
  const problems: string[] = []
  for (const subject of given.length === 0 ? all : (given as KillSubject[])) {
    problems.push(...(await killEverywhere(subject, homes)))
  }
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
  const outcome =
    problems.length === 0
      ? 'every run was brought to the same result, nothing finished was done again'
      : `${problems.length} problems`
  console.log(`${kills} kills in ${seconds} s: ${outcome}`)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  homes.remove()
}
