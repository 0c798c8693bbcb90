import type { JsonObject } from '../../kernel/json.ts'
import { isStepEnd, type RunEvent, type StepEvent } from '../../kernel/run/event.ts'
import { describeApproval } from '../commands/ask/approve-plan.ts'
import { findDisplayOfEvent } from '../displays/displays.ts'
import { errorText } from '../progress/describe-step.ts'
import { count } from '../progress/live-lines.ts'
import { asObject } from './as-object.ts'
import { withAddresses } from './format-gaps.ts'
import { calledTool, researchBranch, topNode } from './run-view.ts'
import { findReview } from './team-view.ts'
import { cut, oneLine } from './text.ts'

const mostColumns = 160

/** Describes how a run reached its answer, in order: plan, searches and results, rejections, retries, failures. */
export function describeRun(events: readonly RunEvent[]): readonly string[] {
  const story = new Story()
  for (const event of withoutTakenBack(events)) story.record(event)
  return story.lines
}

/** A session that continues from an earlier place takes back what came after it, except its failures. */
function withoutTakenBack(events: readonly RunEvent[]): readonly RunEvent[] {
  let kept: RunEvent[] = []
  for (const event of events) {
    const from = event.type === 'run.resumed' ? event.data.rewindToSeq : null
    if (typeof from === 'number')
      kept = kept.filter(({ seq, type }) => seq <= from || type !== 'node.done')
    kept.push(event)
  }
  return kept
}

class Story {
  readonly lines: string[] = []
  private question = ''
  private research: readonly string[] = []
  private approved = 0
  /** What was found since a researcher last ended, by research step; -1 if the steps ran one after the other. */
  private readonly found = new Map<number, Found>()
  private last = { line: '', times: 0 }

  record(event: RunEvent): void {
    const { type, key, output } = event
    if (type === 'node.done' && findDisplayOfEvent(event).hasAuthoredNodes !== true)
      this.ended(key, asObject(output))
    else if (isStepEnd(event)) this.step(event)
    else if (event.type === 'limit.reached') this.add(event.data.failure.message)
    else if (event.type === 'notice' && event.data.level === 'warning') this.add(event.data.text)
    else if (type === 'run.started') this.question = String(asObject(output).question ?? '')
    else if (type === 'run.resumed') this.add('The run was resumed.')
    else if (type === 'run.forked') this.forked(asObject(output))
  }

  private ended(key: string, patch: JsonObject): void {
    const branch = researchBranch(key)
    if (branch === undefined) this.node(topNode(key), patch)
    else if (branch.node === 'attempt') this.node('researcher', patch, branch.index)
    else if (branch.node === 'critic' || branch.node === 'orchestrator')
      this.judged(patch, ` of step ${branch.index + 1}`)
  }

  private node(node: string, patch: JsonObject, step?: number): void {
    const plan = asObject(patch.plan)
    const { malformed, malformedReason, error, errorComponent } = {
      ...patch,
      ...asObject(patch.control),
    }
    if (node === 'planner' && Array.isArray(plan.researchSteps)) this.plan(plan)
    if (node === 'approval') {
      this.add(describeApproval(patch).replace(/\.$/, ''))
      if (Array.isArray(plan.researchSteps)) this.plan(plan)
    }
    if (node === 'orchestrator') this.decided(patch)
    if (node === 'critic') this.judged(patch)
    if (node === 'researcher') this.researched(step)
    if (typeof malformed === 'string' && malformed !== '' && node !== 'orchestrator')
      this.add(`The ${malformed}'s answer was not usable: ${malformedReason}`)
    // The outcome of parallel steps repeats that of each.
    if (error !== undefined && error !== null && node !== 'research')
      this.add(`The ${errorComponent ?? node} failed: ${asObject(error).message}`)
  }

  private forked(fields: JsonObject): void {
    // The orchestrator's remarks on a changed state, and that work was for another question, follow from the change.
    const isOther = asObject(fields.question).text !== undefined
    const implied = ['control.messages', ...(isOther ? ['control.gaps'] : [])]
    const names = changedNames(fields).filter((name) => !implied.includes(name))
    if (names.length > 0) this.add(`A fork changed ${names.join(', ')}`)
    const { researchSteps } = asObject(fields.plan)
    if (Array.isArray(researchSteps)) this.research = researchSteps.map(String)
  }

  private plan(plan: JsonObject): void {
    this.research = (plan.researchSteps as readonly unknown[]).map((step) =>
      withAddresses(String(step), this.question),
    )
    this.approved = 0
    const steps = this.research.map((step, index) => `(${index + 1}) ${step}`).join(' ')
    this.add(this.research.length === 0 ? 'Planned: no research needed' : `Planned: ${steps}`)
  }

  private step({ key, data: { failure }, output }: StepEvent): void {
    const tool = calledTool(key)
    if (tool === '') return
    if (failure !== undefined) this.add(`${tool} failed: ${failure.message}`)
    const { passages, error } = asObject(output)
    const trouble = errorText(error)
    if (trouble !== '') this.add(`${tool} failed: ${trouble}`)
    const found = this.foundIn(researchBranch(key)?.index)
    if (tool === 'search_library') found.searches++
    if (!Array.isArray(passages)) return
    found.passages += passages.length
    for (const passage of passages) found.sources.add(String(asObject(passage).sourceId))
  }

  private foundIn(step = -1): Found {
    const found = this.found.get(step) ?? { searches: 0, passages: 0, sources: new Set() }
    this.found.set(step, found)
    return found
  }

  private researched(step?: number): void {
    const { searches, passages, sources } = this.foundIn(step)
    const found = `${count(searches, 'search', 'searches')}, ${count(passages, 'passage')} of ${count(sources.size, 'source')}`
    this.add(`Researched ${(step ?? this.approved) + 1} of ${this.research.length}: ${found}`)
    this.found.delete(step ?? -1)
  }

  /** What the orchestrator decided in the place of a critic; at depth quick it also gives the only research step. */
  private decided(patch: JsonObject): void {
    const { researchSteps } = asObject(patch.plan)
    if (Array.isArray(researchSteps)) this.research = researchSteps.map(String)
    const { index } = asObject(patch.research)
    if (typeof index === 'number') this.approved = index
    this.judged(patch)
  }

  private judged(patch: JsonObject, which = ''): void {
    const review = findReview(patch)
    if (review === undefined) return
    const { part, decision, feedback } = review
    if (decision === 'approve' && part === 'research') this.approved++
    if (decision === 'reject')
      this.add(`The ${part}${which} was rejected: ${feedback || 'no reason given'}`)
  }

  /** Repetitions are counted. */
  private add(text: string): void {
    const line = cut(oneLine(text), mostColumns)
    if (line !== this.last.line) this.last = { line, times: 0 }
    else this.lines.pop()
    this.last.times++
    this.lines.push(this.last.times === 1 ? line : `${line} (${this.last.times} times)`)
  }
}

/** What searches found. */
interface Found {
  searches: number
  passages: number
  readonly sources: Set<string>
}

const stages: ReadonlySet<string> = new Set([
  'question',
  'plan',
  'research',
  'answer',
  'verdicts',
  'control',
])

/** The names of changed fields; `stage.field` within a stage. */
function changedNames(fields: JsonObject): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    stages.has(name) ? Object.keys(asObject(value)).map((field) => `${name}.${field}`) : [name],
  )
}
