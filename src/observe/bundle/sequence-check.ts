import { canonicalJson, isJsonObject } from '../../kernel/json.ts'
import { type Check, concluded, Faults } from './check.ts'
import { count, faultIn, shown } from './fault.ts'
import { type BundledEvent, type Manifest, memberNames } from './form.ts'
import type { RunFacts } from './run-facts.ts'

/** Checks that the events belong to one run, from its start and without gaps; a fork's begin with its parents'. */
export class SequenceCheck {
  private readonly faults = new Faults()
  private last: BundledEvent | undefined
  private isEnded = false
  private readonly runIds = new Set<string>()
  /** Parents of forks without any event here. */
  private readonly absentParents = new Set<string>()

  record(event: BundledEvent): void {
    const { last } = this
    const { seq, type, runId, epoch } = event
    const wanted = (last?.seq ?? 0) + 1
    if (seq !== wanted) this.add(event, `it is in the place of event ${count(wanted)}.`)
    if ((type === 'run.started') !== (last === undefined))
      this.add(event, 'a log starts with run.started, which occurs only once.')
    if (last !== undefined && (runId !== last.runId || type === 'run.forked'))
      this.checkFork(event, last)
    if (last?.runId === runId && epoch < last.epoch)
      this.add(event, 'it was written by an owner that had lost the run.')
    if (this.isEnded && !afterEnd.has(type)) this.add(event, 'the run had already ended.')
    if (type === 'run.finished') this.isEnded = true
    else if (type.startsWith('run.')) this.isEnded = false
    this.runIds.add(runId)
    this.last = event
  }

  /**
   *
   * @param facts facts of all events
   */
  conclude(facts: RunFacts, manifest: Manifest): Check {
    if (facts.events === 0) this.faults.add(faultIn(memberNames.log, 'it has no event.'))
    const said = { ...pick(manifest) }
    const found = { ...pick(facts), versions: facts.conditions.versions }
    for (const [name, value] of Object.entries(found)) {
      if (canonicalJson(value) === canonicalJson(said[name as keyof typeof said])) continue
      const text = `${name} does not match the log: ${shown(canonicalJson(value))}.`
      this.faults.add(faultIn(memberNames.manifest, text))
    }
    const forked =
      facts.family.length > 1 ? `, of ${facts.family.length} runs, one forked from another` : ''
    const absent = [...this.absentParents].map((id) => `"${shown(id)}"`).join(', ')
    const unseen =
      absent === ''
        ? ''
        : `; the fork's parent ${absent} was not checked, because the log has none of its events`
    const detail = `${count(facts.events)} consecutive events${forked}${unseen}`
    return concluded('log', this.faults, detail, absent !== '')
  }

  /**
   * Checks that the events of another run begin with a fork that names the last event it shares. Its parent is the run of that
   * event, or another fork that shares it and has no events of its own here.
   */
  private checkFork(event: BundledEvent, last: BundledEvent): void {
    const { parent } = event.type === 'run.forked' ? event.data : {}
    const isFork =
      event.type === 'run.forked' &&
      !this.runIds.has(event.runId) &&
      isJsonObject(parent) &&
      parent.seq === last.seq &&
      typeof parent.runId === 'string' &&
      parent.runId !== event.runId &&
      (parent.runId === last.runId || !this.runIds.has(parent.runId))
    if (isFork && parent.runId !== last.runId) this.absentParents.add(String(parent.runId))
    if (!isFork)
      this.add(event, `it belongs to run ${shown(event.runId)}, which was not forked here.`)
  }

  private add({ seq }: BundledEvent, text: string): void {
    this.faults.add(faultIn(memberNames.log, `event ${count(seq)}: ${text}`))
  }
}

const afterEnd: ReadonlySet<string> = new Set(['run.resumed', 'run.forked', 'notice'])

function pick<T extends Pick<Manifest, 'runId' | 'workflow' | 'status' | 'events' | 'family'>>(
  said: T,
) {
  const { runId, workflow, status, events, family } = said
  const versions = (said as Partial<Manifest>).versions
  return { runId, workflow, status, events, family, versions }
}
