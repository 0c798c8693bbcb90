import { blocksOf } from './blocks.ts'
import { CitationWriter } from './citation-writer.ts'
import type { CitedText } from './cited-text.ts'
import { Numbering } from './numbering.ts'
import { scanSpan } from './scan.ts'
import type { Labels, Token } from './token.ts'

/**
 * The citations of a text in any form that is read (docs/citations.md). `known` says which numbers stand for something
 * without being defined in the text, those of the conversation's index; other undefined ones stay as they are, and so
 * does everything in code. Takes time linear in the text's length, and throws for no text.
 */
export function parseCitations(
  text: string,
  known: (n: number) => boolean = () => false,
): CitedText {
  const { spans, definitions } = blocksOf(text, true, known)
  const numbering = new Numbering(definitions, known)
  const labels: Labels = {
    isMark: (n) => numbering.has(String(n)),
    isNumber: (n) => numbering.has(String(n)),
    isName: (key) => numbering.has(key),
  }
  const writer = new CitationWriter(text, numbering)
  const tokens: Token[] = []
  for (const span of spans) {
    tokens.length = 0
    if (span.kind === 'text') scanSpan(text, span, labels, tokens)
    writer.writeSpan(span, tokens)
  }
  for (const definition of definitions) numbering.addDefinition(definition)
  const written = writer.finish()
  return {
    text: definitions.length > 0 ? written.replace(/^(?:[ \t\r]*\n)+/, '').trimEnd() : written,
    entries: numbering.entries,
    format: writer.format(definitions),
  }
}
