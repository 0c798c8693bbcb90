import { cutText } from '../../kernel/text/cut-text.ts'
/** A problem with a bundle, and its location. */
export interface Fault {
  /** One sentence that names the location. */
  readonly text: string
  readonly member?: string
  /** Offset from 0: in the member's content if a member is named and `isInFile` is not set, otherwise in the file. */
  readonly byte?: number
  readonly isInFile?: true
}

/** A fault in a member's content. */
export function faultIn(member: string, text: string, byte?: number): Fault {
  const place = byte === undefined ? '' : `, byte ${count(byte)}`
  return { text: `${member}${place}: ${text}`, member, ...(byte === undefined ? {} : { byte }) }
}

/** A fault in the zip's records around its contents. */
export function faultAt(byte: number, text: string, member?: string): Fault {
  const named = member === undefined ? '' : ` (${shown(member)})`
  return {
    text: `Byte ${count(byte)} of the file${named}: ${text}`,
    byte,
    isInFile: true,
    ...(member === undefined ? {} : { member }),
  }
}

/** Stops a check at a fault after which it cannot continue. */
export class BundleFault extends Error {
  override readonly name = 'BundleFault'
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.text)
    this.fault = fault
  }
}

/** Created on first use and reused: creating one is ten times as slow as formatting. */
let numbers: Intl.NumberFormat | undefined

/** Formats a number: `1,204`. */
export function count(number: number): string {
  numbers ??= new Intl.NumberFormat('en-US')
  return numbers.format(number)
}

const shownLength = 80

/** Untrusted text for a message: one short line without control characters. */
export function shown(text: string): string {
  const line = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
  return cutText(line, shownLength)
}
