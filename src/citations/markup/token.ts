/** Which labels stand for something. */
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
  /** `unknown` is a mark or attribute whose number stands for nothing. */
  readonly kind: 'mark' | 'numbers' | 'name' | 'link' | 'url' | 'attribute' | 'image' | 'unknown'
  readonly start: number
  readonly end: number
  /** The text that is linked, without its brackets: the citation stands behind it. */
  readonly words?: string
  /** What it cites: an address, or the keys of labels. */
  readonly url?: string
  readonly title?: string
  readonly keys?: readonly string[]
  /** The name of the tag that an attribute stands in. */
  readonly tag?: string
}

/** An opened bracket, and how many tokens of each kind there were before it. */
export interface Opening {
  readonly at: number
  readonly tokens: number
  readonly citations: number
  readonly unknown: number
}

/** What a scan has found so far. */
export interface Scan {
  readonly text: string
  readonly to: number
  readonly labels: Labels
  readonly tokens: Token[]
  readonly openings: Opening[]
  /** Tokens that cite. */
  citations: number
  /** Tokens whose number stands for nothing. */
  unknown: number
  /** Behind the last bracket that belongs to a word or to another such (`arr[0][1]`). */
  attachedEnd: number
  /** Where the last bracket was opened. */
  lastBracket: number
}

/** Adds a token; gives the place behind it. */
export function addToken(scan: Scan, token: Token): number {
  scan.tokens.push(token)
  if (token.kind === 'unknown') scan.unknown++
  else if (token.kind !== 'image') scan.citations++
  return token.end
}
