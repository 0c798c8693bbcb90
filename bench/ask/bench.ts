import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { libraryUrl } from '../library-url.ts'
import { start, talk } from '../processes.ts'
import { median } from '../timing.ts'
import type { Order, Told } from './ask-process.ts'
import { criticalPathMs } from './critical-path.ts'
import type { SeenCall } from './serve-model.ts'
import { type Shape, shapes } from './team-answers.ts'

const answerMs = 100

interface Amounts {
  /** The names of the questions; all of them if there are none. */
  readonly streamed: readonly string[]
  readonly whole: readonly string[]
  readonly processes: number
  /** Questions that each process is asked after its first. */
  readonly laterQuestions: number
}

/** The depths, and how long a later question may take at each, in milliseconds. */
const depthShapes: Readonly<Record<string, number | undefined>> = {
  'one research step, standard': 650,
  'one research step, quick': 400,
  'two research steps, standard': undefined,
  'two research steps, quick': undefined,
}
const fourSteps = 'four research steps'
const amounts: Readonly<Record<BenchSize, Amounts>> = {
  smoke: { streamed: ['one research step'], whole: [], processes: 1, laterQuestions: 1 },
  quick: {
    streamed: [
      'no research',
      'one research step',
      'two research steps',
      ...Object.keys(depthShapes),
      fourSteps,
      'eight research steps',
    ],
    whole: [],
    processes: 1,
    laterQuestions: 5,
  },
  full: {
    streamed: shapes.map(({ name }) => name),
    whole: ['no research', fourSteps],
    processes: 2,
    laterQuestions: 4,
  },
}

/** How much longer a question takes than the chain of model calls that it cannot do without. */
export const bench: Bench = {
  title: 'A question',
  async run({ size, folder }) {
    const { streamed, whole, ...times } = amounts[size]
    const server = start(new URL('./model-server.ts', import.meta.url), String(answerMs))
    try {
      const { port } = await talk<{ readonly port: number }>(server)
      const place = { server, baseUrl: `http://127.0.0.1:${port}/v1`, folder }
      const measures: Measure[] = []
      for (const [names, isStreamed] of [[streamed, true] as const, [whole, false] as const])
        for (const name of names)
          measures.push(...(await measureShape(shapeNamed(name), isStreamed, place, times)))
      return measures
    } finally {
      server.kill()
    }
  },
}

function shapeNamed(name: string): Shape {
  const shape = shapes.find((one) => one.name === name)
  if (shape === undefined) throw new Error(`No question is called "${name}".`)
  return shape
}

interface Place {
  readonly server: ChildProcess
  readonly baseUrl: string
  readonly folder: string
}

/** A process's first question, the later ones, and a bare loop of as many calls as the critical path has. */
async function measureShape(
  shape: Shape,
  isStreamed: boolean,
  { server, baseUrl, folder }: Place,
  times: Pick<Amounts, 'processes' | 'laterQuestions'>,
): Promise<readonly Measure[]> {
  const asked = { first: [] as Asked[], later: [] as Asked[], bare: [] as Asked[] }
  const library = libraryUrl()
  const ask: Order = { question: shape.question, depth: shape.depth, isStreamed }
  for (let number = 0; number < times.processes; number++) {
    const home = join(folder, `${shape.name} ${isStreamed} ${number}`)
    const asker = start(new URL('./ask-process.ts', import.meta.url), home, baseUrl, library)
    await talk(asker)
    const first = await askOnce(server, asker, shape, ask)
    asked.first.push(first)
    const bareCalls = Math.round(first.criticalMs / answerMs)
    for (let count = 0; count < times.laterQuestions; count++) {
      asked.later.push(await askOnce(server, asker, shape, ask))
      asked.bare.push(await askOnce(server, asker, shape, { bareCalls, isStreamed }))
    }
    asker.kill()
  }
  const target = depthShapes[shape.name]
  const { calls, inputTokens } = asked.later[0] as Asked
  const form = isStreamed ? 'streamed' : 'whole answers'
  return [
    compare(
      `${shape.name}, ${form}: a later question of a process`,
      asked.later,
      shape.name in depthShapes ? undefined : 1.05,
    ),
    compare(`${shape.name}, ${form}: its first`, asked.first),
    compare(`${shape.name}, ${form}: a bare loop of fetch`, asked.bare),
    { what: `${shape.name}: model calls`, value: calls },
    { what: `${shape.name}: tokens of their requests`, value: inputTokens },
    ...(target === undefined
      ? []
      : [
          {
            what: `${shape.name}: a later question; median`,
            value: median(asked.later.map(({ wallMs }) => wallMs)),
            unit: 'ms',
            target: { atMost: target },
          },
        ]),
  ]
}

interface Asked {
  readonly wallMs: number
  readonly criticalMs: number
  readonly calls: number
  /** Of all requests together. */
  readonly inputTokens: number
}

async function askOnce(
  server: ChildProcess,
  asker: ChildProcess,
  shape: Shape,
  order: Order,
): Promise<Asked> {
  await talk(server, { shape: shape.name })
  const { wallMs, status } = await talk<Told>(asker, order)
  if (status === 'failed') throw new Error(`"${shape.question}" failed.`)
  const { calls } = await talk<{ calls: readonly SeenCall[] }>(server, 'calls')
  const inputTokens = calls.reduce((sum, call) => sum + call.inputTokens, 0)
  return { wallMs, criticalMs: criticalPathMs(calls), calls: calls.length, inputTokens }
}

function compare(what: string, asked: readonly Asked[], atMost?: number): Measure {
  return {
    what: `${what}; median`,
    value: median(asked.map(({ wallMs }) => wallMs)),
    unit: 'ms',
    yardstick: {
      what: 'the longest chain of calls',
      value: median(asked.map(({ criticalMs }) => criticalMs)),
    },
    ...(atMost === undefined ? {} : { target: { atMost } }),
  }
}
