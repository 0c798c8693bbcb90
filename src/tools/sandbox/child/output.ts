/** Collects what code prints. */
export interface Output {
  write(bytes: Uint8Array): void
  /** What was not sent yet: the rest, or the end behind a line that says how much is missing. */
  rest(): string
}

/**
 * Output of which at most `limitBytes` are kept. The first half is sent as it comes, so that it is there when the code is
 * ended; of what follows the last half is kept.
 */
export function createOutput(limitBytes: number, send: (text: string) => void): Output {
  const half = Math.floor(limitBytes / 2)
  const decoder = new TextDecoder()
  let sentBytes = 0
  let kept: Uint8Array[] = []
  let keptBytes = 0
  let cutBytes = 0
  const shorten = () => {
    const all = joined(kept, keptBytes)
    const tail = all.slice(Math.max(0, all.length - half))
    cutBytes += all.length - tail.length
    kept = [tail]
    keptBytes = tail.length
  }
  return {
    write(bytes) {
      const now = bytes.subarray(0, Math.max(0, half - sentBytes))
      if (now.length > 0) {
        sentBytes += now.length
        send(decoder.decode(now, { stream: true }))
      }
      if (now.length === bytes.length) return
      kept.push(bytes.slice(now.length))
      keptBytes += bytes.length - now.length
      if (keptBytes > 4 * half) shorten()
    },
    rest() {
      if (keptBytes > half) shorten()
      const tail = joined(kept, keptBytes)
      if (cutBytes === 0) return decoder.decode(tail)
      const start = tail.findIndex((byte) => (byte & 0xc0) !== 0x80)
      const text = new TextDecoder().decode(tail.subarray(Math.max(0, start)))
      return `${decoder.decode()}\n… ${cutBytes} bytes cut …\n${text}`
    },
  }
}

function joined(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const all = new Uint8Array(sizeBytes)
  let offset = 0
  for (const chunk of chunks) {
    all.set(chunk, offset)
    offset += chunk.length
  }
  return all
}
