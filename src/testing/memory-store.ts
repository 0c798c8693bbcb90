import { ScholiumError } from '../kernel/errors.ts'
import { type Hash, type Json, sha256 } from '../kernel/json.ts'
import {
  type BlobReference,
  type EventOf,
  type EventType,
  maxInlineBytes,
  type NewEvent,
  type RunEvent,
  type RunStatus,
} from '../kernel/run/event.ts'
import type {
  EventFilter,
  Lease,
  NewBlob,
  NewRun,
  Owner,
  RunPage,
  RunRecord,
  RunStore,
} from '../kernel/run/run-store.ts'
import { deadPid } from './fault-store.ts'

interface Run {
  readonly made: NewRun
  readonly events: RunEvent[]
  readonly blobs: Map<Hash, string>
  sizeBytes: number
  status: RunStatus
  epoch: number
  owner: Owner | undefined
}

/**
 * A run store in memory, for tests of workflows: nothing is left behind, and nothing waits for a disk. All owners count as alive,
 * except processes killed by {@link FaultStore}.
 */
export function createMemoryStore(): RunStore {
  return new MemoryStore()
}

class MemoryStore implements RunStore {
  private readonly runs = new Map<string, Run>()

  async create(made: NewRun, owner: Owner): Promise<Lease> {
    const { runId, parent } = made
    if (this.runs.has(runId)) throw invalid(`Run ${runId} already exists.`)
    if (parent !== undefined) this.checkPrefix(parent)
    const own = { events: [], blobs: new Map(), sizeBytes: 0 }
    this.runs.set(runId, { made, ...own, status: 'running', epoch: 1, owner })
    return { runId, epoch: 1 }
  }

  async acquire(runId: string, owner: Owner): Promise<Lease> {
    const run = this.run(runId)
    if (isOwned(run)) throw busy(`Run ${runId} is being executed.`)
    if (run.status === 'interrupted') run.status = 'running'
    run.epoch++
    run.owner = owner
    return { runId, epoch: run.epoch }
  }

  async append(
    lease: Lease,
    events: readonly NewEvent[],
    blobs: readonly NewBlob[],
  ): Promise<readonly RunEvent[]> {
    const run = this.held(lease)
    const bad = events.find(({ key }) => !key.isWellFormed())
    if (bad !== undefined) throw invalid(`The key "${bad.key.toWellFormed()}" is not text.`)
    const after = this.lastSeq(lease.runId)
    const stored = events.map((event, index) => copyAsStored(event, lease, after + index + 1))
    for (const { event, text } of stored) {
      const { key, data, blob } = event
      run.events.push(event)
      run.sizeBytes += Buffer.byteLength(key) + Buffer.byteLength(JSON.stringify(data))
      if (blob === undefined) run.sizeBytes += Buffer.byteLength(text)
      else keep(run, { hash: blob.hash, text })
    }
    for (const blob of blobs) keep(run, blob)
    run.status = statusAfter(events) ?? run.status
    return stored.map(({ event }) => event)
  }

  async check(lease: Lease): Promise<void> {
    this.held(lease)
  }

  async sizeBytes({ runId }: Lease): Promise<number> {
    return this.run(runId).sizeBytes
  }

  async release({ runId, epoch }: Lease, status: RunStatus): Promise<void> {
    const run = this.run(runId)
    if (run.epoch !== epoch || run.owner === undefined) return
    run.owner = undefined
    run.status = status
  }

  async get(runId: string): Promise<RunRecord> {
    const run = this.run(runId)
    const { made, events, epoch } = run
    const isInterrupted = run.status === 'running' && !isOwned(run)
    return {
      ...made,
      status: isInterrupted ? 'interrupted' : run.status,
      updatedAt: events.at(-1)?.ts ?? made.createdAt,
      epoch,
      lastSeq: this.lastSeq(runId),
    }
  }

  async list({ limit = Infinity, after }: RunPage = {}): Promise<readonly RunRecord[]> {
    const newest = [...this.runs.values()]
      .reverse()
      .sort((one, other) => other.made.createdAt - one.made.createdAt)
    const from = newest.findIndex(({ made }) => made.runId === after?.runId) + 1
    const older = ({ made }: (typeof newest)[number]) =>
      after === undefined || made.createdAt < after.createdAt
    const rest = from > 0 ? newest.slice(from) : newest.filter(older)
    return Promise.all(rest.slice(0, limit).map(({ made }) => this.get(made.runId)))
  }

  async *events<Type extends EventType = EventType>(
    runId: string,
    filter: EventFilter<Type> = {},
  ): AsyncGenerator<EventOf<Type>> {
    const { afterSeq = 0, types, withOutput = true } = filter
    for (const event of this.all(runId)) {
      const isWanted = types === undefined || (types as readonly EventType[]).includes(event.type)
      if (event.seq <= afterSeq || !isWanted) continue
      const { output, ...rest } = event
      yield (withOutput && output !== undefined ? { ...rest, output } : rest) as EventOf<Type>
    }
  }

  async output(runId: string, seq: number): Promise<Json | undefined> {
    return this.all(runId).find((event) => event.seq === seq)?.output
  }

  async blob(runId: string, hash: Hash): Promise<string | undefined> {
    const { made, blobs } = this.run(runId)
    return blobs.get(hash) ?? (made.parent && this.blob(made.parent.runId, hash))
  }

  async remove(runId: string): Promise<void> {
    if (isOwned(this.run(runId))) throw busy(`Run ${runId} is being executed.`)
    const child = [...this.runs.values()].find(({ made }) => made.parent?.runId === runId)
    if (child !== undefined)
      throw busy(`Run ${runId} is needed by its fork ${child.made.runId}.`, false)
    this.runs.delete(runId)
  }

  async close(): Promise<void> {}

  private checkPrefix({ runId, seq }: { readonly runId: string; readonly seq: number }): void {
    if (Number.isInteger(seq) && seq >= 0 && seq <= this.lastSeq(runId)) return
    throw invalid(`Run ${runId} cannot be forked at ${seq}.`)
  }

  private run(runId: string): Run {
    const run = this.runs.get(runId)
    if (run === undefined) throw new ScholiumError('run_not_found', `There is no run ${runId}.`)
    return run
  }

  private held({ runId, epoch }: Lease): Run {
    const run = this.run(runId)
    if (run.epoch === epoch && run.owner !== undefined) return run
    throw new ScholiumError('fenced', `Run ${runId} was taken over by another process.`)
  }

  /** A run's events, starting with the prefix that a fork shares. */
  private all(runId: string): readonly RunEvent[] {
    const { made, events } = this.run(runId)
    const { parent } = made
    if (parent === undefined) return [...events]
    return [...this.all(parent.runId).filter(({ seq }) => seq <= parent.seq), ...events]
  }

  private lastSeq(runId: string): number {
    const { made, events } = this.run(runId)
    return events.at(-1)?.seq ?? made.parent?.seq ?? 0
  }
}

/** An event as a database would return it: a copy that shares nothing with what was appended. */
function copyAsStored(
  event: NewEvent,
  { runId, epoch }: Lease,
  seq: number,
): { readonly event: RunEvent; readonly text: string } {
  const text = event.output === undefined ? '' : JSON.stringify(event.output)
  const copy = JSON.parse(JSON.stringify(event)) as NewEvent
  const large = text.length > maxInlineBytes ? { blob: referenceTo(text) } : {}
  return { event: { v: 1, runId, seq, epoch, ...copy, ...large }, text }
}

function keep(run: Run, { hash, text }: NewBlob): void {
  if (!run.blobs.has(hash)) run.sizeBytes += Buffer.byteLength(text)
  run.blobs.set(hash, text)
}

function referenceTo(text: string): BlobReference {
  const preview = text.slice(0, 200).toWellFormed()
  const sizeBytes = Buffer.byteLength(text)
  return { hash: sha256(text), sizeBytes, mediaType: 'application/json', preview }
}

function statusAfter(events: readonly NewEvent[]): RunStatus | undefined {
  const statuses = events.flatMap(({ type, data }): RunStatus[] => {
    if (type === 'run.finished') return [data.status as RunStatus]
    return type === 'run.waiting' ? ['waiting'] : type === 'run.resumed' ? ['running'] : []
  })
  return statuses.at(-1)
}

function isOwned({ owner }: Run): boolean {
  return owner !== undefined && owner.pid !== deadPid
}

function invalid(message: string): ScholiumError {
  return new ScholiumError('invalid_input', message)
}

function busy(message: string, retryable = true): ScholiumError {
  return new ScholiumError('run_busy', message, { retryable })
}
