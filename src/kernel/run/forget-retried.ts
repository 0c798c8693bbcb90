/**
 * Forgets the steps that were done before a retry in a node that has not ended anew: they lie behind the place at which a fork
 * leaves the log, though it holds them.
 * @param boundaries by type and key
 */
export function forgetRetried(
  steps: Map<string, { readonly isBeforeRetry?: true }>,
  boundaries: ReadonlyMap<string, unknown>,
): void {
  for (const [key, { isBeforeRetry }] of steps) {
    const node = /^[^/]+\/[^/]+(?=\/)/.exec(key)?.[0]
    const isEnded = node === undefined || boundaries.has(`node.done ${node}`)
    if (isBeforeRetry && !isEnded) steps.delete(key)
  }
}
