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

/** A text that is shown as it is, cut in the middle where it is long. */
export function fenced(text: string): string {
  return fencedWhole(cutMiddle(withoutLineEnds(text), maxTextCharacters))
}

/** A text that is shown as it is, however long: a person decides by it. */
export function fencedWhole(text: string, language = ''): string {
  const shown = withoutLineEnds(text)
  const runs = shown.match(/`+/g) ?? []
  const fence = '`'.repeat(runs.reduce((longest, { length }) => Math.max(longest, length), 2) + 1)
  return `${fence}${language}\n${shown}\n${fence}`
}

/** Looked for from the end, since a pattern would try each run of line ends. */
function withoutLineEnds(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}
