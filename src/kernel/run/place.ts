import { ScholiumError } from '../errors.ts'
import { findNearest } from '../text/nearest.ts'
import type { RunEvent, StoredEvent } from './event.ts'
import type { RunStore } from './run-store.ts'

/** A place in a run where a fork can start: the beginning, or the end of a node of its own graph. */
export interface Place {
  /** Sequence number of the last event up to it. */
  readonly seq: number
  /** The key of the node that ended there, or the workflow's name for the beginning. */
  readonly boundary: string
  /** The first key used after it; empty for the beginning. */
  readonly at: string
  /** Set if the named event comes after the last node, where nothing is left to do: this is the place before that node. */
  readonly isBeforeEnd?: true
}

/** Whether an event ends a node of the workflow's own graph, not one inside a node. */
export function isTopBoundary<E extends Pick<StoredEvent, 'type' | 'key'>>(
  event: E,
): event is E & { readonly type: 'node.done' } {
  return event.type === 'node.done' && event.key.split('/').length === 2
}

/**
 * The last place before a step or node with something left to do. The step is named by its key, a part of the key, or its event's
 * number (`#42`); without a name it is the run's beginning.
 * @throws `invalid_input` for a name that matches nothing or several steps, `run_not_found`
 */
export async function findPlace(store: RunStore, runId: string, at = ''): Promise<Place> {
  const search = new Search(at)
  for await (const event of store.events(runId, { withOutput: false })) {
    search.record(event)
    if (search.place !== undefined) return search.place
  }
  return search.end(runId)
}

/** Searches a log for a place in one pass. */
class Search {
  /** Found by number, or the beginning: later events do not matter. */
  place: Place | undefined
  private readonly at: string
  private places: Place[] = []
  /** The places before the first event of each match of the name, by full key. */
  private readonly matches = new Map<string, Place>()
  private readonly nodes = new Set<string>()
  /** The key of the first step after the last place; empty if there is none yet. */
  private next = ''
  /** Whether the numbered event was found and the next step is still to come. */
  private isPast = false
  private lastSeq = 0

  constructor(at: string) {
    this.at = at
  }

  record(event: RunEvent): void {
    const { type, key, seq } = event
    this.lastSeq = seq
    if (event.type === 'run.started') this.places = [{ seq, boundary: event.data.workflow, at: '' }]
    const last = this.places.at(-1)
    if (last === undefined) return
    // The changes of a fork belong to the place where it branched off.
    if (type === 'run.forked') this.places[this.places.length - 1] = { ...last, seq }
    if (event.type === 'run.resumed' && event.data.rewindToSeq !== null)
      this.rewind(event.data.rewindToSeq)
    if (this.at === '') this.place = type.startsWith('run.') ? undefined : last
    else if (this.at.startsWith('#')) this.seek(event, last)
    else this.match(event, last)
    if (isStep(event) && this.next === '') this.next = key
    if (isTopBoundary(event)) this.push(event)
  }

  /**
   * The place, at the end of the log.
   * @throws `invalid_input`
   */
  end(runId: string): Place {
    const [first] = this.matches.values()
    const whole = this.matches.get(this.at)
    const [beginning] = this.places
    if (whole !== undefined) return whole
    if (this.matches.size > 1) throw ambiguous(this.at, [...this.matches.keys()])
    if (first !== undefined) return first
    if (this.isPast) return { ...(this.places.at(-1) as Place), at: this.next }
    if (this.at === '' && beginning !== undefined) return beginning
    throw unknownStep(runId, this.at, [...this.nodes], {
      lastSeq: this.lastSeq,
      workflow: beginning?.boundary ?? '',
    })
  }

  private push({ key, seq }: RunEvent): void {
    this.nodes.add(key.slice(key.indexOf('/') + 1))
    this.places.push({ seq, boundary: key, at: '' })
    this.next = ''
  }

  private rewind(toSeq: number): void {
    this.places = this.places.filter(({ seq }) => seq <= toSeq)
    this.next = ''
  }

  /** An event of the run itself stands for the next step. */
  private seek(event: RunEvent, last: Place): void {
    const { type, key, seq } = event
    const isNamed = seq === Number(this.at.slice(1))
    if (!isNamed && !this.isPast) return
    this.isPast = true
    if (type === 'run.started') this.place = last
    else if (type === 'run.finished') this.place = this.beforeEnd(last)
    else if (isStep(event)) this.place = { ...last, at: key }
  }

  private beforeEnd(last: Place): Place {
    if (this.next !== '') return { ...last, at: this.next }
    const before = this.places.at(-2)
    return before === undefined ? last : { ...before, at: last.boundary, isBeforeEnd: true }
  }

  /** Records the first event that matches the name; if its place was discarded, the repeated one. */
  private match({ key }: RunEvent, last: Place): void {
    const named = namedPart(key, this.at)
    if (named === undefined) return
    const known = this.matches.get(named)
    const isAgain = known?.boundary === last.boundary && known.seq < last.seq
    if (known === undefined || isAgain) this.matches.set(named, { ...last, at: key })
  }
}

/** Whether an event belongs to a step or node rather than to the run. */
function isStep({ type, key }: RunEvent): boolean {
  return key.includes('/') && type !== 'notice'
}

/** The part of a key that matches a name: the step or node itself, or one that contains it. The whole run does not count. */
function namedPart(key: string, at: string): string | undefined {
  const from = `/${key}/`.indexOf(`/${at}/`)
  const part = key.slice(0, from + at.length)
  return from < 0 || !part.includes('/') ? undefined : part
}

const mostNamed = 5

function ambiguous(at: string, keys: readonly string[]): ScholiumError {
  const more = keys.length > mostNamed ? ' …' : ''
  return new ScholiumError(
    'invalid_input',
    `"${at}" matches ${keys.length} steps: ${keys.slice(0, mostNamed).join(', ')}${more}.`,
    { hint: 'Give more of the key.' },
  )
}

function unknownStep(
  runId: string,
  at: string,
  nodes: readonly string[],
  { lastSeq, workflow }: { lastSeq: number; workflow: string },
): ScholiumError {
  const what = at.startsWith('#')
    ? `Its events are numbered #1 to #${lastSeq}.`
    : at === workflow
      ? 'That is the whole run; to start from the beginning, give no step.'
      : `${meantHint(at, nodes)}Its nodes: ${nodes.join(', ') || 'none finished'}.`
  return new ScholiumError('invalid_input', `Run ${runId} has no step "${at}".`, {
    hint: `${what} To list all keys: scholium runs show ${runId} --events`,
  })
}

/** A node without a visit number means its first visit. */
function meantHint(at: string, nodes: readonly string[]): string {
  const meant = nodes.find((node) => node.startsWith(`${at}[`)) ?? findNearest(at, nodes)
  return meant === undefined ? '' : `Did you mean '${meant}'? `
}
