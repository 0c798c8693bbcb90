/** A containing span, as named in a key. */
export interface Holder {
  readonly kind: 'workflow' | 'node' | 'agent'
  /** Distinguishes it from every other open span: a node and its agent can have the same key. */
  readonly place: string
  readonly key: string
  readonly name: string
  /** Whether it starts together with its parent, in parallel with others, rather than after them. */
  readonly isParallel: boolean
}

/** The position of a key: its containing spans, outermost first, and the turn of an agent. */
export interface SpanPath {
  readonly holders: readonly Holder[]
  readonly turn: number | undefined
}

const visit = /\[\d+\]$/
const branch = /^branch\[\d+\]$/
const toolCall = /^tool\[\d+\]:/
const turnNumber = /^\d+$/

/**
 * The spans that contain whatever lies under these segments of a key.
 * @param isModel whether it is a model call, which makes its caller an agent
 */
export function parseSpanPath(segments: readonly string[], isModel: boolean): SpanPath {
  const holders: Holder[] = [
    { kind: 'workflow', place: '', key: '', name: segments[0] ?? '', isParallel: false },
  ]
  let turn: number | undefined
  let key = segments[0] ?? ''
  let isParallel = false
  for (const segment of segments.slice(1)) {
    const outer = key
    key = `${key}/${segment}`
    if (branch.test(segment)) isParallel = true
    else if (turnNumber.test(segment)) {
      turn = Number(segment)
      holders.push(agentAt(outer))
    } else if (isParallel || (visit.test(segment) && !toolCall.test(segment))) {
      holders.push({ kind: 'node', place: key, key, name: segment, isParallel })
      isParallel = false
      turn = undefined
    }
  }
  if (isModel && holders.at(-1)?.kind !== 'agent') holders.push(agentAt(key))
  return { holders, turn }
}

function agentAt(key: string): Holder {
  return { kind: 'agent', place: `agent ${key}`, key, name: '', isParallel: false }
}

/** The tool that a step key calls, or `undefined`. */
export function findTool(key: string): string | undefined {
  return /\/tool\[\d+\]:([^/]+)\/call$/.exec(key)?.[1]
}

/** A node's name without the visit number: `planner` for `planner[2]`. */
export function nodeName(name: string): string {
  return name.replace(/(?:\[\d+\])+$/, '')
}

/** The node of the workflow's own graph that a key belongs to; empty if none. */
export function findTopNode(key: string): string {
  return nodeName(key.split('/')[1] ?? '')
}
