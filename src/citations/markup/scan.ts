import {
  angledAddress,
  bareAddress,
  type FoundAddress,
  mayStartAddress,
  startsAddress,
} from './addresses.ts'
import type { Span } from './blocks.ts'
import { readBracket } from './brackets.ts'
import { isEscapable } from './characters.ts'
import { tagAt } from './tag.ts'
import { addToken, type Labels, type Scan, type Token } from './token.ts'

/**
 * The citations in one span of a text, appended to `tokens` in order. One pass: what is looked at twice is bounded, so
 * the time is linear in the length of the span.
 */
export function scanSpan(text: string, span: Span, labels: Labels, tokens: Token[]): void {
  const to = span.end
  const scan: Scan = {
    text,
    to,
    labels,
    tokens,
    openings: [],
    citations: 0,
    unknown: 0,
    attachedEnd: -1,
    lastBracket: -1,
  }
  let runs: ReadonlyMap<number, number> | undefined
  for (let at = span.start; at < to; ) {
    const code = text.charCodeAt(at)
    if (code > 127 || special[code] !== 1) {
      at++
    } else if (code === 96) {
      runs ??= lastRuns(text, at, to)
      at = codeSpanEnd(text, at, to, runs)
    } else if (code === 92) {
      at += isEscapable(text.charCodeAt(at + 1)) ? 2 : 1
    } else if (code === 91) {
      const { citations, unknown } = scan
      scan.openings.push({ at, tokens: tokens.length, citations, unknown })
      scan.lastBracket = at++
    } else if (code === 93) {
      at = readBracket(scan, at)
    } else if (code === 60) {
      at = readAngle(scan, at)
    } else at = readAddress(scan, at)
  }
}

/** The characters at which something may start or end. */
const special = new Uint8Array(128)
for (const character of '[]\\`<hH') special[character.charCodeAt(0)] = 1

function readAddress(scan: Scan, at: number): number {
  const { text, to } = scan
  if (!startsAddress(text, at) || !mayStartAddress(text, at)) return at + 1
  const { url, end } = bareAddress(text, at, to)
  return url === undefined ? end : addToken(scan, { kind: 'url', start: at, end, url })
}

function readAngle(scan: Scan, at: number): number {
  const { text, to } = scan
  if (startsAddress(text, at + 1)) {
    const found: FoundAddress | undefined = angledAddress(text, at, to)
    if (found?.url === undefined) return at + 1
    return addToken(scan, { kind: 'url', start: at, end: found.end, url: found.url })
  }
  const tag = tagAt(text, at, to)
  if (tag === undefined) return at + 1
  for (const { start, end, number, url } of tag.attributes) {
    if (number !== undefined) {
      const kind = scan.labels.isMark(number) ? 'attribute' : 'unknown'
      addToken(scan, { kind, start, end, keys: [String(number)], tag: tag.name })
    } else if (url !== undefined)
      addToken(scan, { kind: 'attribute', start, end, url, tag: tag.name })
  }
  return tag.end
}

/** Where the last run of each number of backticks starts, so that no closing one is looked for in vain. */
export function lastRuns(text: string, from: number, to: number): ReadonlyMap<number, number> {
  const last = new Map<number, number>()
  for (let at = text.indexOf('`', from); at >= 0 && at < to; ) {
    const end = runEnd(text, at, to)
    last.set(end - at, at)
    at = text.indexOf('`', end)
  }
  return last
}

/** Behind the code span, or only the run of backticks, that starts at `at`. `last` is {@link lastRuns} of the span. */
export function codeSpanEnd(
  text: string,
  at: number,
  to: number,
  last: ReadonlyMap<number, number>,
): number {
  const opened = runEnd(text, at, to)
  const length = opened - at
  if ((last.get(length) ?? -1) <= at) return opened
  for (let from = text.indexOf('`', opened); ; ) {
    const end = runEnd(text, from, to)
    if (end - from === length) return end
    from = text.indexOf('`', end)
  }
}

function runEnd(text: string, at: number, to: number): number {
  let end = at
  while (end < to && text.charCodeAt(end) === 96) end++
  return end
}
