const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Calls `onFirst` on the first Ctrl-C (or SIGTERM), so that the run can stop in order; the second exits at once with
 * 130. Returns a function that stops listening.
 */
export function listenForInterrupts(onFirst: () => void): () => void {
  let isAsked = false
  const listener = () => {
    // Whatever delays the exit after the first must not delay it any further.
    if (isAsked) process.exit(130)
    isAsked = true
    onFirst()
  }
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}
