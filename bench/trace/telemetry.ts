import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { shapes } from '../ask/team-answers.ts'
import type { Measure } from '../bench.ts'
import { start, talk } from '../processes.ts'
import { median } from '../timing.ts'
import type { Told } from './asker.ts'

const shape = shapes.find(({ name }) => name === 'one research step') as (typeof shapes)[number]

/**
 * A question with a collector of spans, next to one without, each in its own process, in turns. A second process without a
 * collector shows how much two equal ones differ. Ratios are those of one round, which other work on the machine affects alike.
 */
export async function measureTelemetry(
  folder: string,
  { rounds, answerMs }: { readonly rounds: number; readonly answerMs: number },
): Promise<readonly Measure[]> {
  const children: ChildProcess[] = []
  const started = (file: string, ...args: readonly string[]) => {
    const child = start(new URL(file, import.meta.url), ...args)
    children.push(child)
    return child
  }
  try {
    const server = started('../ask/model-server.ts', String(answerMs))
    const collector = started('./collector.ts')
    const [model, spans] = [await addressOf(server), await addressOf(collector)]
    const asker = (name: string, ...more: readonly string[]) =>
      started('./asker.ts', join(folder, name), `${model}/v1`, ...more)
    const askers = { off: asker('off'), again: asker('again'), on: asker('on', spans) }
    await Promise.all(Object.values(askers).map((child) => talk(child)))
    const told = await askInTurns(server, askers, rounds)
    const sent = await talk<{ readonly spans: number }>(collector, 'count')
    if (sent.spans === 0) throw new Error('No span came to the collector.')
    const askMs = ({ askMs }: Told) => askMs
    return [
      compare('in another process without a collector', told.again, told.off, askMs),
      compare('with a collector, until the answer', told.on, told.off, askMs, 1.05),
      compare(
        'with a collector, until all spans are sent',
        told.on,
        told.off,
        ({ askMs, closeMs }) => askMs + closeMs,
        1.05,
      ),
    ]
  } finally {
    for (const child of children) child.kill()
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  const { port } = await talk<{ readonly port: number }>(child)
  return `http://127.0.0.1:${port}`
}

/** The first question of each process, which loads modules and indexes files, is left out. */
async function askInTurns<Name extends string>(
  server: ChildProcess,
  askers: Readonly<Record<Name, ChildProcess>>,
  rounds: number,
): Promise<Readonly<Record<Name, readonly Told[]>>> {
  const names = Object.keys(askers) as Name[]
  const told = Object.fromEntries(names.map((name) => [name, [] as Told[]])) as Record<Name, Told[]>
  for (let round = 0; round <= rounds; round++) {
    for (const index of names.keys()) {
      const name = names[(round + index) % names.length] as Name
      await talk(server, { shape: shape.name })
      const one = await talk<Told>(askers[name], shape.question)
      if (round > 0) told[name].push(one)
    }
  }
  return told
}

function compare(
  what: string,
  told: readonly Told[],
  off: readonly Told[],
  msOf: (one: Told) => number,
  atMost?: number,
): Measure {
  const ratio = median(told.map((one, round) => msOf(one) / msOf(off[round] as Told)))
  const plainMs = median(off.map(msOf))
  return {
    what: `a question with ${shape.name}, ${what}; median`,
    value: ratio * plainMs,
    unit: 'ms',
    yardstick: { what: 'without a collector', value: plainMs },
    ...(atMost === undefined ? {} : { target: { atMost } }),
  }
}
