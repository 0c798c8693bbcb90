const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Has the first Ctrl-C (or SIGTERM) call `onFirst`, so that the run can stop in order; a second one ends the process at once,
 * with 130. Gives the way to stop listening.
 */
export function listenForInterrupts(onFirst: () => void): () => void {
  let isAsked = false
  const listener = () => {
    // Whatever holds the process up after the first must not hold it any longer.
    if (isAsked) process.exit(130)
    isAsked = true
    onFirst()
  }
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}
