import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { resultsWanted } from '../model-call/conversation.ts'
import type { Received } from '../model-call/server.ts'
import { start, talk } from '../processes.ts'
import { median } from '../timing.ts'
import type { Cost, Order } from './contender.ts'

/** A library as it takes part. */
interface Contender {
  readonly title: string
  /** Its file in `libraries/`. */
  readonly library: string
  readonly isStored?: true
  /** Of a library that has no calls for whole answers. */
  readonly isOnlyStreamed?: true
}

const yardstick = 'plain fetch'

const contenders: readonly Contender[] = [
  { title: yardstick, library: 'plain' },
  { title: 'Scholium, log in memory', library: 'scholium' },
  { title: 'Scholium, log on disk', library: 'scholium', isStored: true },
  { title: 'AI SDK', library: 'ai-sdk' },
  { title: 'LangGraph.js', library: 'langgraph' },
  { title: 'LangGraph.js, SQLite checkpoints', library: 'langgraph', isStored: true },
  { title: 'OpenAI Agents', library: 'openai-agents' },
  { title: 'OpenAI Agents, session in memory', library: 'openai-agents', isStored: true },
  { title: 'Mastra', library: 'mastra' },
  { title: 'Mastra, LibSQL memory', library: 'mastra', isStored: true },
  { title: 'pi', library: 'pi', isOnlyStreamed: true },
  { title: 'pi, JSONL session', library: 'pi', isStored: true, isOnlyStreamed: true },
  { title: 'VoltAgent', library: 'voltagent' },
  { title: 'VoltAgent, LibSQL memory', library: 'voltagent', isStored: true },
]

type Kind = 'whole' | 'streamed'

interface Round extends Cost {
  readonly sentBytes: number
}

/** A contender in its process, with what its rounds took. */
interface Entrant extends Contender {
  readonly process: ChildProcess
  readonly rounds: Readonly<Record<Kind, Round[]>>
}

const rounds: Readonly<Record<BenchSize, number>> = { smoke: 1, quick: 5, full: 25 }
const warmUpRounds: Readonly<Record<BenchSize, number>> = { smoke: 0, quick: 3, full: 5 }

/** The same conversation of fifty tool steps held by other agent libraries, each with and without what it has for storing it. */
export const bench: Bench = {
  title: 'Agent libraries side by side',
  needs: ['bench/peers'],
  async run({ size, folder }) {
    const server = start(new URL('../model-call/server.ts', import.meta.url))
    const entrants: Entrant[] = []
    try {
      const url = `http://127.0.0.1:${await talk<number>(server)}`
      for (const contender of contenders) entrants.push(await enter(contender, url, folder))
      for (let round = 0; round < warmUpRounds[size]; round++) await playRound(entrants, server)
      for (const { rounds } of entrants) {
        rounds.whole.length = 0
        rounds.streamed.length = 0
      }
      for (let round = 0; round < rounds[size]; round++) await playRound(entrants, server)
      return await toMeasures(entrants)
    } finally {
      server.disconnect()
      for (const { process } of entrants) process.disconnect()
    }
  },
}

async function enter(contender: Contender, url: string, parent: string): Promise<Entrant> {
  const { library, isStored = false } = contender
  const folder = join(parent, `${library}-${isStored}`)
  mkdirSync(folder)
  const module = new URL('./contender.ts', import.meta.url)
  const process = start(module, library, String(isStored), url, folder)
  await named(contender, talk(process))
  return { ...contender, process, rounds: { whole: [], streamed: [] } }
}

/** Each contender in turn, so that other work on the machine affects all of them alike. */
async function playRound(entrants: readonly Entrant[], server: ChildProcess): Promise<void> {
  for (const kind of ['whole', 'streamed'] as const)
    for (const entrant of entrants) {
      if (kind === 'whole' && entrant.isOnlyStreamed) continue
      const cost = await named(entrant, talk<Cost>(entrant.process, kind))
      const received = await talk<Received>(server, 'report')
      expectAll(entrant, kind, received)
      entrant.rounds[kind].push({ ...cost, sentBytes: received.bytes })
    }
}

/** Whoever asks more or less often than the others, or another way, is not comparable. */
function expectAll({ title }: Contender, kind: Kind, { requests, streamed }: Received): void {
  const wanted = resultsWanted + 1
  if (requests !== wanted || streamed !== (kind === 'streamed' ? wanted : 0))
    throw new Error(
      `${title}: ${requests} requests, ${streamed} of them for a stream, instead of ${wanted}, ${kind}.`,
    )
}

async function named<Said>({ title }: Contender, said: Promise<Said>): Promise<Said> {
  try {
    return await said
  } catch (cause) {
    throw new Error(`${title} failed; its error is above.`, { cause })
  }
}

async function toMeasures(entrants: readonly Entrant[]): Promise<readonly Measure[]> {
  const memory = new Map<Entrant, readonly number[]>()
  for (const entrant of entrants) {
    const bytes = await named(entrant, talk<number>(entrant.process, 'memory' satisfies Order))
    memory.set(entrant, [bytes / 1e6])
  }
  const perStep = (kind: Kind, key: 'ms' | 'cpuMs') => (entrant: Entrant) =>
    entrant.rounds[kind].map((round) => round[key] / resultsWanted)
  const perRun = (key: 'sentBytes' | 'writtenBytes') => (entrant: Entrant) =>
    entrant.rounds.streamed.map((round) => round[key] / 1_000)
  return [
    ...compare(entrants, 'a step, whole answers', 'ms', perStep('whole', 'ms')),
    ...compare(entrants, 'a step, streamed answers', 'ms', perStep('streamed', 'ms')),
    ...compare(
      entrants,
      'processor time of a step, whole answers',
      'ms',
      perStep('whole', 'cpuMs'),
    ),
    ...compare(
      entrants,
      'processor time of a step, streamed answers',
      'ms',
      perStep('streamed', 'cpuMs'),
    ),
    ...compare(
      entrants,
      'memory of the process afterwards',
      'MB',
      (entrant) => memory.get(entrant) ?? [],
    ),
    ...compare(entrants, 'sent by a run', 'KB', perRun('sentBytes')),
    ...compare(
      entrants.filter(({ isStored }) => isStored),
      'written to disk by a run',
      'KB',
      perRun('writtenBytes'),
    ),
  ]
}

/** A figure of all contenders that have it, next to that of the yardstick if it is among them. */
function compare(
  entrants: readonly Entrant[],
  figure: string,
  unit: string,
  valuesOf: (entrant: Entrant) => readonly number[],
): readonly Measure[] {
  const plain = entrants.find(({ title }) => title === yardstick)
  return entrants.flatMap((entrant) => {
    const values = valuesOf(entrant)
    if (entrant === plain || values.length === 0) return []
    return {
      what: `${figure}: ${entrant.title}${values.length > 1 ? '; median' : ''}`,
      value: median(values),
      unit,
      ...(values.length > 1 ? { range: [Math.min(...values), Math.max(...values)] } : {}),
      ...(plain ? { yardstick: { what: yardstick, value: median(valuesOf(plain)) } } : {}),
    }
  })
}
