/*
 * Kills a coding session with SIGKILL after every single event, standing still there and in full run, resumes it in another
 * process, and says what went wrong: node test/code/every-kill.ts
 */
import { cleanEvents, killAndResume } from './kill-session.ts'

const events = await cleanEvents()
const problems: string[] = []
const startedMs = performance.now()
let kills = 0
for (let event = 1; event < events; event++) {
  for (const isPaused of [true, false]) {
    const found = await killAndResume({ event, isPaused }, 'a new process')
    kills++
    for (const problem of found) {
      problems.push(problem)
      console.log(`  FAILED after event ${event}${isPaused ? '' : ' in full run'}: ${problem}`)
    }
  }
}
const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
const outcome =
  problems.length === 0
    ? 'every session was brought to its end, no command was run twice'
    : `${problems.length} problems`
console.log(`${kills} kills at ${events - 1} events in ${seconds} s: ${outcome}`)
process.exitCode = problems.length === 0 ? 0 : 1
