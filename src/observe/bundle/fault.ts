/** What is wrong with a bundle and where. */
export interface Fault {
  /** One sentence that names the place. */
  readonly text: string
  readonly member?: string
  /** Counted from 0: in the member's content where a member is named and `isInFile` is not set, else in the file. */
  readonly byte?: number
  readonly isInFile?: true
}

/** A fault in a member's content. */
export function faultIn(member: string, text: string, byte?: number): Fault {
  const place = byte === undefined ? '' : `, byte ${count(byte)}`
  return { text: `${member}${place}: ${text}`, member, ...(byte === undefined ? {} : { byte }) }
}

/** A fault in the records of the zip around its contents. */
export function faultAt(byte: number, text: string, member?: string): Fault {
  const named = member === undefined ? '' : ` (${shown(member)})`
  return {
    text: `Byte ${count(byte)} of the file${named}: ${text}`,
    byte,
    isInFile: true,
    ...(member === undefined ? {} : { member }),
  }
}

/** Stops a check at the first fault that leaves nothing to go on with. */
export class BundleFault extends Error {
  override readonly name = 'BundleFault'
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.text)
    this.fault = fault
  }
}

/** Made for the first number that is told: it is ten times as slow to make one for each. */
let numbers: Intl.NumberFormat | undefined

/** A number for people: `1,204`. */
export function count(number: number): string {
  numbers ??= new Intl.NumberFormat('en-US')
  return numbers.format(number)
}

const shownLength = 80

/** Text of somebody else's in a message: one short line without controls. */
export function shown(text: string): string {
  const line = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
  return line.length <= shownLength ? line : `${line.slice(0, shownLength)}…`
}
