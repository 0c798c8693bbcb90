import type { LogEntry } from '../api/operations.ts'

/** A step in the waterfall. Times are milliseconds of work from the run's start: pauses between sessions are left out. */
export interface TimedStep {
  readonly seq: number
  readonly key: string
  readonly label: string
  /** What its time is counted as: a model's name, a tool, a person, or other work. */
  readonly what: What
  readonly startMs: number
  endMs: number
  isOpen: boolean
  readonly isFailed: boolean
}

/** What time is counted as. */
export interface What {
  readonly kind: 'model' | 'tool' | 'person' | 'step' | 'rest'
  readonly name: string
}

/** A node of the workflow's graph with the steps in it. */
export interface TimedNode {
  readonly key: string
  readonly label: string
  /** The number of the event that ended it, or of its first one so far. */
  seq: number
  startMs: number
  endMs: number
  readonly steps: TimedStep[]
}

/** Calls, tokens and cost of a role. */
export interface RoleUse {
  readonly role: string
  models: readonly string[]
  calls: number
  inputTokens: number
  outputTokens: number
  /** null if a price is unknown. */
  costUsd: number | null
}

/** How much time something took, with parallel work counted once. */
export interface TimeShare {
  readonly what: What
  readonly ms: number
  readonly calls: number
}

const begins = new Set(['run.started', 'run.resumed', 'run.forked'])

/** What the events of a run say about its time and money; one event at a time. */
export class Timeline {
  readonly nodes: TimedNode[] = []
  readonly roles = new Map<string, RoleUse>()
  /** Steps without an end. */
  private readonly open = new Map<string, { step: TimedStep; node: TimedNode; entry: LogEntry }>()
  private readonly byKey = new Map<string, TimedNode>()
  private firstTs: number | undefined
  private lastTs = 0
  private pausedMs = 0
  private isPaused = false

  /** Working time so far. */
  get totalMs(): number {
    return this.toMs(this.lastTs)
  }

  hear(entry: LogEntry): void {
    const { type, key, ts } = entry
    this.firstTs ??= ts
    // Between sessions, and before a fork, nobody worked.
    if (begins.has(type) && this.lastTs > 0) this.pausedMs += Math.max(0, ts - this.lastTs)
    const before = this.lastTs === 0 ? ts : this.lastTs
    this.lastTs = Math.max(this.lastTs, ts)
    this.isPaused = type === 'run.suspended' || type === 'run.finished'
    if (this.isPaused) this.closeOpen()
    if (key === '' || !key.includes('/')) return
    const node = this.nodeOf(entry, before)
    node.endMs = Math.max(node.endMs, this.toMs(ts))
    if (type === 'node.done' && node.key === key) node.seq = entry.seq
    if (type === 'step.started') this.begin(entry, node)
    else if (type.startsWith('step.') || type === 'limit.reached') this.end(entry, node)
  }

  /** What took the time, the most first. */
  shares(): readonly TimeShare[] {
    const byName = new Map<string, { what: What; spans: [number, number][] }>()
    for (const { steps } of this.nodes)
      for (const { what, startMs, endMs, isOpen } of steps) {
        const id = `${what.kind} ${what.name}`
        const known = byName.get(id) ?? { what, spans: [] }
        known.spans.push([startMs, isOpen ? this.totalMs : endMs])
        byName.set(id, known)
      }
    const shares = [...byName.values()].map(({ what, spans }) => ({
      what,
      ms: unionMs(spans),
      calls: spans.length,
    }))
    const all = [...byName.values()].flatMap(({ spans }) => spans)
    const rest = {
      what: { kind: 'rest', name: '' },
      ms: this.totalMs - unionMs(all),
      calls: 0,
    } as const
    return [...shares, rest].filter(({ ms }) => ms > 0).sort((one, other) => other.ms - one.ms)
  }

  private toMs(ts: number): number {
    return Math.max(0, ts - (this.firstTs ?? ts) - this.pausedMs)
  }

  private nodeOf({ key, startedAt, seq }: LogEntry, before: number): TimedNode {
    const nodeKey = key.split('/', 2).join('/')
    const startMs = this.toMs(startedAt ?? before)
    const known = this.byKey.get(nodeKey)
    if (known !== undefined) {
      known.startMs = Math.min(known.startMs, startMs)
      return known
    }
    const label = nodeKey.slice(nodeKey.indexOf('/') + 1)
    const node = { key: nodeKey, label, seq, startMs, endMs: startMs, steps: [] }
    this.byKey.set(nodeKey, node)
    this.nodes.push(node)
    return node
  }

  private begin(entry: LogEntry, node: TimedNode): void {
    const startMs = this.toMs(entry.startedAt ?? entry.ts)
    const step = {
      ...describe(entry, node),
      startMs,
      endMs: startMs,
      isOpen: true,
      isFailed: false,
    }
    node.steps.push(step)
    this.open.set(entry.key, { step, node, entry })
  }

  private end(entry: LogEntry, node: TimedNode): void {
    const begun = this.open.get(entry.key)
    this.open.delete(entry.key)
    const model = entry.model ?? begun?.entry.model
    const role = entry.role ?? begun?.entry.role
    const whole = { ...entry, ...(model && { model }), ...(role && { role }) }
    const startMs = this.toMs(entry.startedAt ?? begun?.entry.ts ?? entry.ts)
    const isFailed = entry.type !== 'step.done'
    const step = {
      ...describe(whole, node),
      startMs,
      endMs: this.toMs(entry.ts),
      isOpen: false,
      isFailed,
    }
    const at = begun === undefined ? -1 : begun.node.steps.lastIndexOf(begun.step)
    if (at < 0) node.steps.push(step)
    else node.steps[at] = step
    if (model !== undefined) this.count(whole, role ?? '', model)
  }

  private count(entry: LogEntry, role: string, model: string): void {
    const { inputTokens, outputTokens = 0, costUsd } = entry
    const known = this.roles.get(role)
    const use = known ?? { role, models: [], calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 }
    if (known === undefined) this.roles.set(role, use)
    if (!use.models.includes(model)) use.models = [...use.models, model]
    use.calls++
    if (inputTokens === undefined) return
    use.inputTokens += inputTokens
    use.outputTokens += outputTokens
    use.costUsd = use.costUsd === null || costUsd === undefined ? null : use.costUsd + costUsd
  }

  /** A session that ended left no step open. */
  private closeOpen(): void {
    for (const { step } of this.open.values()) {
      step.isOpen = false
      step.endMs = this.totalMs
    }
    this.open.clear()
  }
}

function describe(
  entry: LogEntry,
  node: TimedNode,
): Pick<TimedStep, 'seq' | 'key' | 'label' | 'what'> {
  const { seq, key, name = '' } = entry
  const label = key.slice(node.key.length + 1) || name
  return { seq, key, label, what: whatOf(entry) }
}

function whatOf({ kind, name = '', model, isPause }: LogEntry): What {
  if (isPause) return { kind: 'person', name: '' }
  if (kind === 'model') return { kind, name: model ?? '' }
  if (kind === 'tool' || kind === 'retrieval') return { kind: 'tool', name }
  return { kind: 'step', name: '' }
}

/** The length of what some stretches of time cover together. */
function unionMs(spans: [number, number][]): number {
  let [total, until] = [0, Number.NEGATIVE_INFINITY]
  for (const [start, end] of spans.sort((one, other) => one[0] - other[0])) {
    total += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return total
}
