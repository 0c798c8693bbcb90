/*
 * Behind `npm run faults`: kills a process with SIGKILL after every single event of a question, on both drivers, and of agents
 * that write; resumes each run in another process and holds it against a run without faults. Kills servers with live streams at
 * 50 points of their runs. Says how many kills there were, how long they took and what went wrong; exits with 1 when something
 * did. Arguments name the subjects; none means all.
 */
import { Homes } from './ask-subject.ts'
import { killAndResume, runClean } from './kill.ts'
import type { KillSubject } from './killed-run.ts'
import { type KillOutcome, killServer, serveClean, spreadKills } from './server-kill.ts'

type Subject = KillSubject | 'server'

const all: readonly Subject[] = ['extractive', 'scripted', 'sequential', 'post', 'server']
const names: Readonly<Record<Subject, string>> = {
  extractive: 'ask, extractive',
  scripted: 'ask, scripted model',
  sequential: 'ask, scripted model, one step after the other',
  post: 'agents that write',
  server: 'scholium serve, four runs',
}
const atOnce = 2
const tellEvery = 10
const serverKills = 50

async function killEverywhere(subject: KillSubject, homes: Homes): Promise<readonly string[]> {
  const clean = await runClean(subject, homes)
  console.log(`${names[subject]}: ${clean.events} events`)
  const events = Array.from({ length: clean.events }, (_, index) => index + 1)
  return killEach(subject, events, async (event) => {
    const kill = { event, isPaused: true }
    const problems = await killAndResume(subject, homes, clean, kill, 'a new process')
    return { place: `event ${event}`, problems }
  })
}

async function killServers(homes: Homes): Promise<readonly string[]> {
  const clean = await serveClean(homes)
  console.log(`${names.server}: ${clean.events} events`)
  const outcomes: KillOutcome[] = []
  const problems = await killEach('server', spreadKills(clean, serverKills), async (kill) => {
    const outcome = await killServer(homes, clean, kill)
    outcomes.push(outcome)
    return { place: `${kill.after} ${kill.of}`, problems: outcome.problems }
  })
  const total = (name: 'finished' | 'inFlight' | 'repeated') =>
    outcomes.reduce((sum, outcome) => sum + outcome[name], 0)
  console.log(
    `  calls at the kills: ${total('finished')} had an end in the log, ${total('inFlight')} were in flight; ${total('repeated')} were made again`,
  )
  return problems
}

/** Kills at each of the points, some at once, and says what went wrong. */
async function killEach<Point>(
  subject: Subject,
  points: readonly Point[],
  kill: (point: Point) => Promise<{ place: string; problems: readonly string[] }>,
): Promise<readonly string[]> {
  const all: string[] = []
  const left = points.values()
  let done = 0
  const work = async () => {
    for (const point of left) {
      const { place, problems } = await kill(point)
      for (const problem of problems) {
        all.push(`${names[subject]}, killed after ${place}: ${problem}`)
        console.log(`  FAILED after ${place}: ${problem}`)
      }
      if (++done % tellEvery === 0 || done === points.length)
        console.log(`  ${done} of ${points.length} kills`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  kills += done
  return all
}

const given = process.argv.slice(2)
const unknown = given.filter((name) => !all.includes(name as Subject))
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
  for (const subject of given.length === 0 ? all : (given as Subject[])) {
    problems.push(
      ...(await (subject === 'server' ? killServers(homes) : killEverywhere(subject, homes))),
    )
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
