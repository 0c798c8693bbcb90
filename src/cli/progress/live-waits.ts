import type { LiveEvent } from '../../kernel/run/event.ts'
import { asObject } from '../render/as-object.ts'

interface Wait {
  readonly model: string
  readonly role: string
  /** Time of the last event. */
  sinceMs: number
  /** Number of lines printed about it. */
  told: number
}

/** Times of silence after which a line is printed; after the last, one every minute. */
const toldAfterMs = [1_000, 10_000, 30_000, 60_000] as const

const doing: Readonly<Record<string, string>> = {
  planner: 'Planning',
  researcher: 'Researching',
  critic: 'Judging',
  expert: 'Answering',
  finalizer: 'Finishing',
  verifier: 'Checking',
  analyzer: 'Analysing',
  synthesizer: 'Combining',
}

/** Model calls that have not answered yet. Times are in milliseconds of any clock, the same for all methods. */
export class Waits {
  private readonly open = new Map<string, Wait>()

  hear(event: LiveEvent, nowMs: number): void {
    if ('transient' in event) {
      if (event.type === 'delta' || (event.type === 'progress' && event.data.text !== undefined))
        this.heard(event, nowMs)
      return
    }
    const { type, key } = event
    if (type === 'step.started') this.begin(key, asObject(event.output), nowMs)
    else if (type.startsWith('step.') || type === 'limit.reached') this.open.delete(key)
    else if (type.startsWith('run.')) this.open.clear()
  }

  private heard({ type }: LiveEvent, nowMs: number): void {
    for (const wait of this.open.values()) {
      wait.sinceMs = nowMs
      // A more specific message, such as that the call is retried, replaces the first line.
      if (type === 'progress') wait.told = Math.max(1, wait.told)
    }
  }

  private begin(key: string, { model, role }: Record<string, unknown>, nowMs: number): void {
    if (typeof model !== 'string' || typeof role !== 'string') return
    this.open.set(key, { model, role, sinceMs: nowMs, told: 0 })
  }

  /** The lines due now, each returned once. */
  due(nowMs: number): readonly string[] {
    return [...this.open.values()].flatMap((wait) => {
      const waitedMs = nowMs - wait.sinceMs
      if (waitedMs < dueAfterMs(wait.told)) return []
      wait.told++
      return [formatLine(wait, waitedMs)]
    })
  }

  /** What is being waited for, in a few words; empty during the first second. */
  current(nowMs: number): string {
    const [wait] = this.open.values()
    const waitedMs = wait === undefined ? 0 : nowMs - wait.sinceMs
    return wait === undefined || waitedMs < toldAfterMs[0]
      ? ''
      : `waiting for ${wait.model}, ${Math.floor(waitedMs / 1000)} s`
  }
}

function dueAfterMs(told: number): number {
  const last = toldAfterMs.length - 1
  return toldAfterMs[told] ?? toldAfterMs[last as 3] + (told - last) * 60_000
}

function formatLine({ model, role, told }: Wait, waitedMs: number): string {
  return told === 1
    ? `${doing[role] ?? 'Working'} (asking ${model})…`
    : `Still waiting for ${model}, ${Math.round(waitedMs / 1000)} s.`
}
