/** A research step that is worked on beside others, as a key names it. */
export interface ResearchBranch {
  /** Its index in the plan. */
  readonly index: number
  /** The node of its own graph that the key names: `attempt`, `critic`; empty for what lies deeper. */
  readonly node: string
}

/** The research step beside others that a key lies in: `ask/research[1]/branch[2]/researcher[2]/attempt[1]`. */
export function researchBranch(key: string): ResearchBranch | undefined {
  const found = /^[^/]+\/research\[\d+\]\/branch\[(\d+)\]\/[^/]+\/([^/]+)/.exec(key)
  if (found === null) return undefined
  const [whole, number, inner = ''] = found
  const isNode = whole.length === key.length && /\[\d+\]$/.test(inner)
  return { index: Number(number) - 1, node: isNode ? inner.replace(/\[\d+\]$/, '') : '' }
}
