/** A request's id, as JSON. */
export type RequestId = string | number | null

/** Length of the beginning and the end of a line in which its request's id is looked for. */
const windowBytes = 4_096

/**
 * Removes lines of JSON that are longer than `maxBytes`; each is reported at its end, and the rest is read as if it
 * were not there.
 * @param onTooLong receives the id of its request, `null` if unknown, and its length in bytes
 */
export function withoutLongLines(
  maxBytes: number,
  onTooLong: (id: RequestId, bytes: number) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let line = new OpenLine(maxBytes)
  const end = (controller: TransformStreamDefaultController<Uint8Array>) => {
    if (line.isTooLong) onTooLong(idIn(line.head, line.tail), line.bytes)
    else for (const chunk of line.chunks) controller.enqueue(chunk)
    line = new OpenLine(maxBytes)
  }
  return new TransformStream({
    transform(chunk, controller) {
      let from = 0
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, from)) {
        line.add(chunk.subarray(from, at + 1))
        end(controller)
        from = at + 1
      }
      line.add(chunk.subarray(from))
    },
    flush: end,
  })
}

/** A line being read: all of it, or, if too long, its beginning and end. */
class OpenLine {
  chunks: Uint8Array[] = []
  bytes = 0
  head = ''
  tail = ''
  private readonly maxBytes: number

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get isTooLong(): boolean {
    return this.bytes > this.maxBytes
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    const text = (part: Uint8Array) => Buffer.from(part).toString('latin1')
    if (this.head.length < windowBytes)
      this.head += text(chunk.subarray(0, windowBytes - this.head.length))
    this.tail = (this.tail + text(chunk.subarray(-windowBytes))).slice(-windowBytes)
    this.bytes += chunk.length
    if (this.isTooLong) this.chunks = []
    else this.chunks.push(chunk)
  }
}

const plainMember = '"(?:[^"\\\\]|\\\\.)*"\\s*:\\s*(?:"(?:[^"\\\\]|\\\\.)*"|-?\\d+|null|true|false)'
const id = '"id"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|-?\\d+)'
/** The id precedes, or follows, all members that may contain another one. */
const idAhead = new RegExp(`^\\s*\\{\\s*(?:${plainMember}\\s*,\\s*)*?${id}\\s*[,}]`)
const idBehind = new RegExp(
  `[}\\]]\\s*,\\s*(?:${plainMember}\\s*,\\s*)*?${id}(?:\\s*,\\s*${plainMember})*\\s*\\}\\s*$`,
)

function idIn(head: string, tail: string): RequestId {
  const found = idAhead.exec(head)?.[1] ?? idBehind.exec(tail)?.[1]
  return found === undefined ? null : (JSON.parse(found) as RequestId)
}
