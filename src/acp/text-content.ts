import type { ContentBlock, ToolCallContent } from '@agentclientprotocol/sdk'
import { cutMiddle } from '../kernel/text/cut-text.ts'

const maxTextCharacters = 20_000

/** A text as a block of content. */
export function textBlock(text: string): ContentBlock {
  return { type: 'text', text: text.toWellFormed() }
}

/** A text as what a tool call gave. */
export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: textBlock(text) }
}

/** A text shown verbatim, with its middle cut if it is long. */
export function fenced(text: string): string {
  return fencedWhole(cutMiddle(withoutLineEnds(text), maxTextCharacters))
}

/** A text shown verbatim at any length: a person decides by it. */
export function fencedWhole(text: string, language = ''): string {
  const shown = withoutLineEnds(text)
  const runs = shown.match(/`+/g) ?? []
  const fence = '`'.repeat(runs.reduce((longest, { length }) => Math.max(longest, length), 2) + 1)
  return `${fence}${language}\n${shown}\n${fence}`
}

/** Found from the end, since a pattern would try each run of line breaks. */
function withoutLineEnds(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}
