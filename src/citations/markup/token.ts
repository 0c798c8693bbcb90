/** Which labels have a meaning. */
export interface Labels {
  /** `[!CITE_3!]` and `idx="3"`. */
  isMark(n: number): boolean
  /** `[3]`. */
  isNumber(n: number): boolean
  /** `[name]` and `[^1]`, by their key. */
  isName(key: string): boolean
}

/** A citation in a text, from `start` to `end`. */
export interface Token {
  /** `unknown` is a mark or attribute whose number cites nothing. */
  readonly kind: 'mark' | 'numbers' | 'name' | 'link' | 'url' | 'attribute' | 'image' | 'unknown'
  readonly start: number
  readonly end: number
  /** The linked text without its brackets; the citation follows it. */
  readonly words?: string
  /** What it cites: an address, or the keys of labels. */
  readonly url?: string
  readonly title?: string
  readonly keys?: readonly string[]
  /** The name of the tag with the attribute. */
  readonly tag?: string
}

/** An open bracket, and the number of tokens of each kind before it. */
export interface Opening {
  readonly at: number
  readonly tokens: number
  readonly citations: number
  readonly unknown: number
}

/** The state of a scan. */
export interface Scan {
  readonly text: string
  readonly to: number
  readonly labels: Labels
  readonly tokens: Token[]
  readonly openings: Opening[]
  /** Tokens that cite. */
  citations: number
  /** Tokens whose number cites nothing. */
  unknown: number
  /** The end of the last bracket that belongs to a word or to another such bracket (`arr[0][1]`). */
  attachedEnd: number
  /** The offset of the last opening bracket. */
  lastBracket: number
}

/** Adds a token; returns the offset after it. */
export function addToken(scan: Scan, token: Token): number {
  scan.tokens.push(token)
  if (token.kind === 'unknown') scan.unknown++
  else if (token.kind !== 'image') scan.citations++
  return token.end
}
