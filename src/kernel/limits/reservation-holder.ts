import { ScholiumError } from '../errors.ts'

/**
 * A holder of reservations: one attempt at a step. While it waits for another reservation it cannot release the ones it holds,
 * and neither can the attempt that contains it.
 */
export class ReservationHolder {
  private readonly within: ReservationHolder | undefined
  private waits = 0

  /**
   *
   * @param within the attempt that contains this one
   */
  constructor(within?: ReservationHolder) {
    this.within = within
  }

  /** Whether it, or an attempt inside it, is waiting. */
  get isWaiting(): boolean {
    return this.waits > 0
  }

  startWaiting(): void {
    this.count(1)
  }

  stopWaiting(): void {
    this.count(-1)
  }

  private count(change: 1 | -1): void {
    this.waits += change
    this.within?.count(change)
  }
}

/**
 * Resolves when a reservation was released. A woken holder no longer counts as waiting, even before it has run again.
 * @param waiting the holders to wake
 * @throws `cancelled` when the signal is aborted first
 */
export function nextSettlement(
  waiting: Set<() => void>,
  holder: ReservationHolder,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      waiting.delete(wake)
      signal?.removeEventListener('abort', onAbort)
      holder.stopWaiting()
    }
    const wake = () => {
      stop()
      resolve()
    }
    const onAbort = () => {
      stop()
      reject(new ScholiumError('cancelled', 'The run was interrupted.'))
    }
    waiting.add(wake)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}
