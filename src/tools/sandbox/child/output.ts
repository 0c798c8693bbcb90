/** Collects printed output. */
export interface Output {
  write(bytes: Uint8Array): void
  /** Output not yet sent: the rest, or its end after a line with the number of missing bytes. */
  rest(): string
}

/**
 * Keeps at most `limitBytes` of output. The first half is sent immediately, so that it survives a kill; of the rest, the
 * last half is kept.
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
