import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ScholiumError } from '../../kernel/errors.ts'
import { type Json, type JsonObject, sha256 } from '../../kernel/json.ts'
import {
  type BlobReference,
  type EventOf,
  type EventType,
  maxInlineBytes,
  type NewEvent,
  type RunEvent,
  type StoredEvent,
} from '../../kernel/run/event.ts'
import type { EventFilter, NewBlob } from '../../kernel/run/run-store.ts'
import { damagedRow } from './run-store-failure.ts'
import type { FamilyMember } from './run-store-runs.ts'

/** An event as its row, prepared before the transaction to keep that short. */
export interface PreparedEvent {
  readonly event: NewEvent
  readonly data: string
  readonly output: string | null
  readonly blob: BlobReference | undefined
  readonly blobText: string | undefined
  /** Size of key, data and output, without an output kept as a blob. */
  readonly sizeBytes: number
}

interface EventRow {
  readonly seq: number
  readonly ts: number
  readonly epoch: number
  readonly key: string
  readonly type: string
  readonly data: string
  readonly blob: string | null
  readonly output?: string | null
}

const previewLength = 200

/** Rows held in memory while a log is read; each with up to 16 KB of output. */
const pageRows = { withOutput: 64, withoutOutput: 512 }

/**
 * Converts an event to its row. Data and output are stored as JSON text, which escapes null characters and lone surrogates, so
 * both are read back unchanged.
 * @throws `invalid_input` for a key that UTF-8 cannot represent: it would be read back as another key, and its step executed
 * again
 */
export function prepareEvent(event: NewEvent): PreparedEvent {
  if (!event.key.isWellFormed()) {
    throw new ScholiumError(
      'invalid_input',
      `The key ${JSON.stringify(event.key)} contains an incomplete character.`,
      {
        hint: 'Use complete Unicode characters in step names.',
      },
    )
  }
  const data = JSON.stringify(event.data)
  const text = event.output === undefined ? null : JSON.stringify(event.output)
  if (text === null || text.length <= maxInlineBytes) {
    const inline = { output: text, blob: undefined, blobText: undefined }
    return { event, data, ...inline, sizeBytes: countBytes(event.key, data, text ?? '') }
  }
  const blob: BlobReference = {
    hash: sha256(text),
    sizeBytes: Buffer.byteLength(text),
    mediaType: 'application/json',
    preview: text.slice(0, previewLength).toWellFormed(),
  }
  const sizeBytes = countBytes(event.key, data)
  return { event, data, output: null, blob, blobText: text, sizeBytes }
}

function countBytes(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

/** `octet_length` reads only the length of a text. */
const sumSize = `
  SELECT coalesce((
    SELECT sum(octet_length(key) + octet_length(data) + coalesce(octet_length(output), 0))
    FROM events WHERE run_id = ?
  ), 0) + coalesce((SELECT sum(octet_length(text)) FROM blobs WHERE run_id = ?), 0) AS size_bytes`

/** The tables of events and blobs. Callers group their calls into transactions. */
export class EventTable {
  private readonly db: DatabaseSync
  private readonly insertEvent: StatementSync
  private readonly insertBlob: StatementSync
  private readonly findOutput: StatementSync
  private readonly findBlob: StatementSync
  private readonly sumSize: StatementSync

  constructor(db: DatabaseSync) {
    this.db = db
    this.insertEvent = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.insertBlob = db.prepare('INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)')
    this.findOutput = db.prepare('SELECT output, blob FROM events WHERE run_id = ? AND seq = ?')
    this.findBlob = db.prepare('SELECT text FROM blobs WHERE run_id = ? AND hash = ?')
    this.sumSize = db.prepare(sumSize)
  }

  /** Inserts an event. Returns the stored event and the number of bytes added. */
  insert(
    runId: string,
    seq: number,
    epoch: number,
    prepared: PreparedEvent,
  ): { readonly event: RunEvent; readonly sizeBytes: number } {
    const { event, data, output, blob, blobText } = prepared
    const { ts, key, type } = event
    const blobJson = blob === undefined ? null : JSON.stringify(blob)
    this.insertEvent.run(runId, seq, ts, epoch, key, type, data, blobJson, output)
    const stored = { v: 1, runId, seq, epoch, ...event } as const
    if (blob === undefined || blobText === undefined)
      return { event: stored, sizeBytes: prepared.sizeBytes }
    const added = this.keep(runId, { hash: blob.hash, text: blobText })
    return { event: { ...stored, blob }, sizeBytes: prepared.sizeBytes + added }
  }

  /** Stores a blob. Returns the number of bytes added: none if the text exists already. */
  keep(runId: string, { hash, text }: NewBlob): number {
    const { changes } = this.insertBlob.run(runId, hash, text)
    return Number(changes) === 0 ? 0 : Buffer.byteLength(text)
  }

  /** The bytes of everything that belongs to a run alone, counted as by {@link insert} and {@link keep}. */
  sizeBytes(runId: string): number {
    return this.sumSize.get(runId, runId)?.size_bytes as number
  }

  /** The events of one member of a family, page by page: no statement stays open while the caller works. */
  *read<Type extends EventType>(
    { runId, throughSeq }: FamilyMember,
    filter: EventFilter<Type>,
  ): Generator<EventOf<Type>> {
    const { types, withOutput = true } = filter
    const limit = withOutput ? pageRows.withOutput : pageRows.withoutOutput
    const page = this.db.prepare(`
      SELECT seq, ts, epoch, key, type, data, blob${withOutput ? ', output' : ''} FROM events
      WHERE run_id = ? AND seq > ? AND seq <= ?
        ${types === undefined ? '' : 'AND type IN (SELECT value FROM json_each(?))'}
      ORDER BY seq LIMIT ${limit}`)
    const wanted = types === undefined ? [] : [JSON.stringify(types)]
    let after = filter.afterSeq ?? 0
    for (;;) {
      const rows = page.all(runId, after, throughSeq, ...wanted) as unknown as readonly EventRow[]
      for (const row of rows) yield this.eventOf(runId, row) as EventOf<Type>
      if (rows.length < limit) return
      after = (rows.at(-1) as EventRow).seq
    }
  }

  /** An event's output, or `undefined` if it has none; null if the run has no such event. */
  output(runId: string, seq: number): { readonly output: Json | undefined } | null {
    const row = this.findOutput.get(runId, seq) as Pick<EventRow, 'output' | 'blob'> | undefined
    return row === undefined ? null : { output: this.outputOf(runId, seq, row) }
  }

  blob(runId: string, hash: string): string | undefined {
    return this.findBlob.get(runId, hash)?.text as string | undefined
  }

  remove(runId: string): void {
    for (const table of ['events', 'blobs', 'runs']) {
      this.db.prepare(`DELETE FROM ${table} WHERE run_id = ?`).run(runId)
    }
  }

  /** Converts a row to an event. The log's own transactions guarantee the shape of {@link NewEvent}, so it is not validated. */
  private eventOf(runId: string, row: EventRow): StoredEvent {
    const { seq, ts, epoch, key, type } = row
    const data = parse(runId, seq, 'its data', row.data) as JsonObject
    const event: StoredEvent = { v: 1, runId, seq, ts, epoch, key, type, data }
    // Most events have neither. Spreading two optional properties into each would take a third of the reading time.
    if (row.blob === null && typeof row.output !== 'string') return event
    const output = row.output === undefined ? undefined : this.outputOf(runId, seq, row)
    const blob =
      row.blob === null
        ? undefined
        : (parse(runId, seq, 'its blob', row.blob) as unknown as BlobReference)
    return {
      ...event,
      ...(output === undefined ? {} : { output }),
      ...(blob === undefined ? {} : { blob }),
    }
  }

  private outputOf(
    runId: string,
    seq: number,
    row: Pick<EventRow, 'output' | 'blob'>,
  ): Json | undefined {
    if (row.blob === null) {
      return typeof row.output === 'string'
        ? parse(runId, seq, 'its output', row.output)
        : undefined
    }
    const { hash } = parse(runId, seq, 'its blob', row.blob) as unknown as BlobReference
    const text = this.blob(runId, hash)
    if (text === undefined) throw damagedRow(runId, seq, 'its large output is gone')
    return parse(runId, seq, 'its large output', text)
  }
}

function parse(runId: string, seq: number, part: string, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    throw damagedRow(runId, seq, `${part} is not JSON`, cause)
  }
}
