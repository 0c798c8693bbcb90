import { RequestError } from './request-error.ts'

/** The streams of a server. */
export class StreamSlots {
  /** Milliseconds after which a reader that takes nothing is cut off. */
  readonly slowReaderMs: number
  private readonly maxStreams: number
  private open = 0

  constructor(maxStreams: number, slowReaderMs: number) {
    this.maxStreams = maxStreams
    this.slowReaderMs = slowReaderMs
  }

  /** Takes a slot, which `free` gives back. @throws `too_many_requests` while all are taken */
  take(): void {
    if (this.open >= this.maxStreams)
      throw new RequestError(
        'too_many_requests',
        `There are ${this.maxStreams} streams already.`,
        'Close one, or try again later.',
      )
    this.open++
  }

  free(): void {
    this.open--
  }
}
