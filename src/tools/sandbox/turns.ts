/** Lets so many in at once. */
export interface Turns {
  /** When it is one's turn. @throws the signal's reason when it is aborted before */
  take(signal: AbortSignal): Promise<void>
  giveBack(): void
}

/** Turns that let `count` in at once, the others in their order. */
export function createTurns(count: number): Turns {
  let free = count
  const waiting: (() => void)[] = []
  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return
      }
      await new Promise<void>((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(enter), 1)
          reject(signal.reason)
        }
        waiting.push(enter)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    giveBack() {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    },
  }
}
