import { addUsage, noUsage, type Span, type SpanUsage } from '../../observe/span.ts'

/** A span with its children, ordered by start. */
export interface SpanTree {
  readonly span: Span
  readonly children: readonly SpanTree[]
}

/** The spans of a run as trees, one per execution. */
export function buildTrees(spans: readonly Span[]): readonly SpanTree[] {
  const children = new Map<string | null, Span[]>()
  for (const span of spans) {
    const siblings = children.get(span.parentId)
    if (siblings === undefined) children.set(span.parentId, [span])
    else siblings.push(span)
  }
  const grow = (parentId: string | null): readonly SpanTree[] =>
    (children.get(parentId) ?? [])
      .sort((left, right) => left.startMs - right.startMs)
      .map((span) => ({ span, children: grow(span.spanId) }))
  return grow(null)
}

/** A row of the waterfall. */
export interface Row {
  readonly span: Span
  readonly depth: number
  /** Number of siblings that are not shown after it. */
  readonly hidden: number
}

/** How much of a run to show. */
export interface RowOptions {
  /** 1: nodes only. */
  readonly depth: number
  readonly hasAll: boolean
  /** Duration of the whole run; spans below a hundredth of it that call nothing are left out. */
  readonly totalMs: number
}

/** Maximum number of siblings to show, plus those in which something failed. */
const mostSiblings = 200

/**
 * The rows of a tree, without agents, which are inside their nodes, and without nodes that are all there is of another.
 */
export function toRows(tree: SpanTree, options: RowOptions, depth = 0): readonly Row[] {
  if (depth > options.depth) return []
  const shown = shownChildren(tree, options)
  const kept = shown.filter((child, index) => index < mostSiblings || hasTrouble(child))
  return kept.flatMap((child, index) => {
    const hidden = index === kept.length - 1 ? shown.length - kept.length : 0
    const row = { span: child.span, depth, hidden }
    return depth + 1 >= options.depth ? [row] : [row, ...toRows(child, options, depth + 1)]
  })
}

function shownChildren(tree: SpanTree, options: RowOptions): readonly SpanTree[] {
  const { hasAll, totalMs } = options
  if (hasAll) return tree.children
  const opened = tree.children
    .flatMap((child) =>
      child.span.kind === 'agent' && child.children.length > 0 ? child.children : [child],
    )
    .filter((child) => isOfInterest(child, totalMs))
  const [only] = opened
  const isWhole = opened.length === 1 && only?.span.kind === 'node' && tree.span.kind === 'node'
  if (!isWhole || only === undefined) return opened
  const inner = shownChildren(only, options)
  return inner.length === 0 && hasTrouble(only) ? opened : inner
}

function isOfInterest({ span, children }: SpanTree, totalMs: number): boolean {
  const { kind, usage, status, startMs, endMs } = span
  if (kind !== 'node' && kind !== 'step') return true
  const isCalling = usage.modelCalls + usage.toolCalls > 0
  const isLong = (endMs - startMs) * 100 >= totalMs
  return isCalling || isLong || status !== 'ok' || children.some(hasTrouble)
}

/** Whether something in a tree failed: that is shown, however short it was. */
function hasTrouble({ span, children }: SpanTree): boolean {
  return span.status !== 'ok' || children.some(hasTrouble)
}

/** An agent's time and usage over a run. */
export interface AgentShare {
  readonly agent: string
  readonly times: number
  readonly durationMs: number
  readonly usage: SpanUsage
}

/** The agents of a run, the most expensive first, then the slowest. */
export function agentShares(spans: readonly Span[]): readonly AgentShare[] {
  const shares = new Map<string, AgentShare>()
  for (const { kind, agent, startMs, endMs, usage } of spans) {
    if (kind !== 'agent' || agent === undefined) continue
    const before = shares.get(agent) ?? { agent, times: 0, durationMs: 0, usage: noUsage }
    shares.set(agent, {
      agent,
      times: before.times + 1,
      durationMs: before.durationMs + endMs - startMs,
      usage: addUsage(before.usage, usage),
    })
  }
  return [...shares.values()].sort(
    (left, right) =>
      (right.usage.costUsd ?? 0) - (left.usage.costUsd ?? 0) || right.durationMs - left.durationMs,
  )
}
