const signals = ['SIGINT', 'SIGTERM'] as const

/** A Ctrl-C can arrive twice: from the terminal, and passed on by `npm start`. */
const sameInterruptMs = 500

/**
 * Calls `onFirst` on the first Ctrl-C (or SIGTERM), so that the run can stop in order; the second exits at once with
 * 130. Returns a function that stops listening.
 */
export function listenForInterrupts(onFirst: () => void): () => void {
  let askedAtMs: number | undefined
  const listener = () => {
    if (askedAtMs === undefined) {
      askedAtMs = performance.now()
      onFirst()
    } else if (performance.now() - askedAtMs > sameInterruptMs) {
      // Whatever delays the exit after the first must not delay it any further.
      process.exit(130)
    }
  }
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}
