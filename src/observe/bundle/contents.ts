import type * as z from 'zod'
import type { RunEvent } from '../../kernel/run/event.ts'
import type { ByteSource } from './byte-source.ts'
import { lineText, memberText, parseText } from './canonical.ts'
import { BundleFault, count, faultIn } from './fault.ts'
import { type BundledEvent, eventForm, manifestForm, memberNames } from './form.ts'
import { maxTextBytes } from './limits.ts'
import { contentOf, type ReadMember, readZip } from './zip-reader.ts'

/** The contents of a bundle's members. All errors are {@link BundleFault}s that name the member. */
export class BundleContents {
  readonly members: readonly ReadMember[]
  private readonly source: ByteSource
  private readonly byName: ReadonlyMap<string, ReadMember>

  constructor(source: ByteSource, members: readonly ReadMember[]) {
    this.source = source
    this.members = members
    this.byName = new Map(members.map((member) => [member.name, member]))
  }

  has(name: string): boolean {
    return this.byName.has(name)
  }

  /** The whole text of a member. */
  text(name: string): string {
    const member = this.member(name)
    if (member.sizeBytes > maxTextBytes)
      throw new BundleFault(faultIn(name, `more than the maximum of ${count(maxTextBytes)} bytes.`))
    return decoded(name, Buffer.concat([...contentOf(this.source, member)]))
  }

  /** A member's value, which must be canonical and match this schema. */
  value<T>(name: string, form: z.ZodType<T>): T {
    return parseText(name, this.text(name), memberText, form)
  }

  /** The values of a member's lines. */
  *lines<T>(name: string, form: z.ZodType<T>): Generator<T> {
    let number = 0
    for (const line of this.textLines(name)) yield parseText(name, line, lineText, form, ++number)
  }

  /** The log's events, validated like {@link lines}. */
  checkedEvents(): Generator<BundledEvent> {
    return this.lines(memberNames.log, eventForm as unknown as z.ZodType<BundledEvent>)
  }

  /** The log's events, once they have been validated. */
  async *events(): AsyncGenerator<RunEvent> {
    for (const line of this.textLines(memberNames.log)) yield JSON.parse(line) as RunEvent
  }

  /** A member's lines, each with its line feed. */
  private *textLines(name: string): Generator<string> {
    let waiting: Buffer[] = []
    let waitingBytes = 0
    for (const piece of contentOf(this.source, this.member(name))) {
      let from = 0
      for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
        waiting.push(piece.subarray(from, end + 1))
        yield decoded(name, waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting))
        waiting = []
        waitingBytes = 0
        from = end + 1
      }
      waiting.push(piece.subarray(from))
      waitingBytes += piece.length - from
      if (waitingBytes > maxTextBytes)
        throw new BundleFault(faultIn(name, `a line has more than ${count(maxTextBytes)} bytes.`))
    }
    if (waitingBytes > 0) throw new BundleFault(faultIn(name, 'its last line is incomplete.'))
  }

  private member(name: string): ReadMember {
    const member = this.byName.get(name)
    if (member === undefined) throw new BundleFault(faultIn(name, 'it is not there.'))
    return member
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decoded(name: string, bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new BundleFault(faultIn(name, 'it contains invalid UTF-8.'))
  }
}

/** The id of the run that a bundle claims to contain; `undefined` if the file is not a complete bundle. */
export function bundledRun(source: ByteSource): string | undefined {
  try {
    return new BundleContents(source, readZip(source)).value(memberNames.manifest, manifestForm)
      .runId
  } catch (error) {
    if (error instanceof BundleFault) return undefined
    throw error
  }
}
