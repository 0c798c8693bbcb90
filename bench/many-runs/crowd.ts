import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, App } from '../../src/index.ts'

/** A question about something that nothing but its own source knows. */
export interface Planted {
  /** The name of the thing; no other's name begins or ends like it. */
  readonly name: string
  readonly question: string
  /** The path of the source. */
  readonly source: string
  /** What is right. */
  readonly holds: string
}

const names = /\bzor[a-z]{5}ite\b/gi
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** The name of the `index`-th thing. */
function nameOf(index: number): string {
  const places = [4, 3, 2, 1, 0].map((place) => letters[Math.floor(index / 26 ** place) % 26])
  return `Zor${places.join('')}ite`
}

/** Writes a source for each of `count` questions, the first of them about thing `from`. */
export function plant(folder: string, from: number, count: number): readonly Planted[] {
  mkdirSync(folder, { recursive: true })
  return Array.from({ length: count }, (_, place) => {
    const index = from + place
    const name = nameOf(index)
    const source = join(folder, `${name.toLowerCase()}.md`)
    const holds = `${name} melts at ${1_000 + index} degrees Celsius`
    const text = `# ${name}\n\n${holds}. ${name} was found by Ada Quill in ${1500 + (index % 500)}.\n\n## Uses\n\n${name} is used in the lamps of lighthouses because it shines without heat.\n`
    writeFileSync(source, text)
    return { name, source, holds, question: `At what temperature does ${name} melt?` }
  })
}

/** Asks a question over its own source. */
export function askOne(app: App, { question, source }: Planted): Promise<Answer> {
  return app.ask({ question, sources: [source] })
}

/** Asks all of them, `atOnce` at a time, and passes each answer to `onAnswer` as soon as it is there. */
export async function askAll(
  app: App,
  questions: readonly Planted[],
  atOnce: number,
  onAnswer: (planted: Planted, answer: Answer) => void | Promise<void> = () => {},
): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    for (let planted = questions[next++]; planted !== undefined; planted = questions[next++])
      await onAnswer(planted, await askOne(app, planted))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** All of an answer but its run's id and its times. */
export function comparable({ runId: _runId, timings: _timings, ...rest }: Answer): string {
  return JSON.stringify(rest)
}

/** The names of other things in a text about one. */
export function strangersIn(text: string, { name }: Planted): readonly string[] {
  const found = text.match(names) ?? []
  return [...new Set(found.filter((one) => one.toLowerCase() !== name.toLowerCase()))]
}

/**
 * What is wrong with an answer and its log: a wrong answer, something from another run, an event of another run or out of
 * order, an id in `runIds` that another run has.
 */
export async function problemsOf(
  app: App,
  planted: Planted,
  answer: Answer,
  runIds: Set<string>,
): Promise<readonly string[]> {
  const events = await Array.fromAsync(app.events(answer.runId))
  const record = await app.showRun(answer.runId)
  const strangers = strangersIn(JSON.stringify([answer, events, record]), planted)
  const isRight = answer.status === 'answered' && answer.answer.includes(planted.holds)
  const isOwn = events.every(({ runId, seq }, place) => runId === answer.runId && seq === place + 1)
  const isNew = !runIds.has(answer.runId)
  runIds.add(answer.runId)
  return [
    ...(isRight ? [] : [`${planted.name}: ${answer.status}: ${answer.answer}`]),
    ...strangers.map((stranger) => `${planted.name}: ${stranger} is in its run`),
    ...(isOwn ? [] : [`${planted.name}: its log has events of others, or not all`]),
    ...(isNew ? [] : [`${planted.name}: another run has its id`]),
  ]
}
