import { describe, expect, it } from 'vitest'
import { fenced, textContent } from '../../src/acp/text-content.ts'
import { readMarkdown as markdownParts } from '../../src/agents/actions/tools/markdown-parts.ts'
import { insertCitations } from '../../src/agents/actions/tools/text-actions.ts'
import { detectCodeLanguage } from '../../src/agents/document/agent-document.ts'
import { parseBibtex } from '../../src/bibliography/parse-bibtex.ts'
import { renderHtml, renderMarkdown, renderNotes } from '../../src/citations/markup/index.ts'
import { saysNothing } from '../../src/citations/role-requests.ts'
import type { PassageId, SourceId } from '../../src/citations/source.ts'
import { checkClaims, splitClaims, splitSentences } from '../../src/citations.ts'
import { readReport } from '../../src/claims/report/read-report.ts'
import { editSentences } from '../../src/claims/verify/edit-sentences.ts'
import {
  checkAddresses,
  clearOutsideClaims,
  isPlainText,
} from '../../src/claims/verify/foreign-addresses.ts'
import { toInertMarkdown } from '../../src/claims/verify/inert-markdown.ts'
import { createPaint } from '../../src/cli/render/paint.ts'
import { oneLine, wrap } from '../../src/cli/render/text.ts'
import { markdownRows } from '../../src/cli/terminal/markdown-lines.ts'
import { parseShell } from '../../src/code/tools/shell/parse-shell.ts'
import { sha256 } from '../../src/kernel/json.ts'
import { ThinkingSplitter } from '../../src/kernel/model/model-thinking.ts'
import { redactSecrets } from '../../src/kernel/run/secrets.ts'
import { parseJsonObject } from '../../src/kernel/text/json-from-text.ts'
import { toolCallsFromText } from '../../src/kernel/text/tool-calls-from-text.ts'
import { splitPassages } from '../../src/retrieval/chunk.ts'
import { readMarkdown, readPlainText } from '../../src/sources/files/text/read-text.ts'
import { toResult } from '../../src/tools/mcp/tool-result.ts'
import { cleanLine } from '../../src/tools/mcp/untrusted-text.ts'
import { hostileTexts } from './long-texts.ts'

const sourceId = sha256('a') as SourceId
const known = 'Glimmerstone melts at 412 degrees Celsius. It was found in 1911.'
const passage = {
  n: 1,
  passageId: `${sourceId.slice(0, 16)}:0-${known.length}` as PassageId,
  sourceId,
  start: 0,
  end: known.length,
  text: known,
}
const cited = { passages: [passage], citations: [{ n: 1, sourceId, title: 'Stones' }] }
const paint = createPaint(true)
const tools = [{ name: 'search', parameters: { properties: { query: { type: 'string' } } } }]

/** What goes through texts that strangers and models write, all at once and where nothing can stop it: a new one is one line. */
const readers: readonly (readonly [what: string, read: (text: string) => unknown])[] = [
  // Answers of models.
  ['tool calls in text', (text) => toolCallsFromText(text, tools)],
  ['JSON in text', (text) => parseJsonObject(text, ['a'])],
  ['thoughts', (text) => new ThinkingSplitter().push(text)],
  ['secrets', (text) => redactSecrets(text, ['sk-abcdef123456', 'aaaaaaaa', '00000000'])],
  ['sentences', splitSentences],
  ['claims', (text) => checkClaims(splitClaims(`${text} [1].`), [passage], cited.citations)],
  [
    'addresses',
    (text) =>
      checkAddresses(
        splitClaims(`${text} [1].`).map(
          (claim) =>
            ({
              ...claim,
              verdict: 'verbatim',
              judge: 'code',
              citations: [1],
              evidence: [],
            }) as never,
        ),
        text,
        cited,
      ),
  ],
  ['plain sentences', isPlainText],
  ['fixed sentences', saysNothing],
  [
    'sentences taken out',
    (text) =>
      editSentences(
        text,
        splitClaims(text)
          .slice(0, 3)
          .map(({ start, end }) => ({ start, end, replacement: null })),
      ),
  ],
  ['what is outside of claims', (text) => clearOutsideClaims(text, ['a'])],
  ['Markdown made inert', toInertMarkdown],
  ['an answer as HTML', (text) => renderHtml(text, [])],
  ['an answer as Markdown', (text) => renderMarkdown(text, [])],
  ['an answer with notes', (text) => renderNotes(text, [])],
  [
    'an answer in a terminal',
    (text) => text.split('\n').map((line) => markdownRows(line, '', 80, paint)),
  ],
  ['lines in a terminal', (text) => [wrap(text, 80), oneLine(text)]],
  ['an answer for an editor', (text) => [textContent(text), fenced(text)]],
  ['a command line', (text) => parseShell(text)],
  // Files.
  ['a Markdown file', (text) => readMarkdown(text, sha256(text), '/a.md')],
  ['front matter', (text) => readMarkdown(`---\n${text}\n---\n# A`, sha256(text), '/a.md')],
  [
    'passages',
    (text) =>
      splitPassages(
        {
          ...readPlainText(text, sha256(text), '/a.txt'),
          contentHash: sha256(text),
          kind: 'text',
          sizeBytes: 1,
          notes: [],
        },
        sourceId,
      ),
  ],
  ['a report', (text) => readReport(text)],
  ['BibTeX', parseBibtex],
  [
    'BibTeX, inside of an entry',
    (text) => parseBibtex(`@article{a, title={${text}}, author="${text}"}`),
  ],
  ['Markdown for agent files', markdownParts],
  ['citations for agent files', (text) => insertCitations(text, ['a'])],
  ['the language of code', (text) => detectCodeLanguage(text)],
  // Servers.
  [
    'a result of an MCP server',
    (text) =>
      toResult({
        content: [
          { type: 'text', text },
          { type: 'image', data: text, mimeType: text },
          { type: 'resource', resource: { uri: text, text } },
        ],
        structuredContent: { a: text },
      }),
  ],
  ['a description of an MCP server', (text) => cleanLine(text, 1_000_000)],
]

/** With a pattern that tries again from each place, one of these texts takes longer than all of them may. */
const length = 100_000

describe('a long text that repeats one thing', () => {
  it.each(readers)(
    'does not hold up the reading of %s',
    async (_what, read) => {
      for (const [what, text] of hostileTexts(length)) {
        // An error in words is an end too.
        await Promise.resolve(text)
          .then(read)
          .catch((error: unknown) => expect(error, what).toBeInstanceOf(Error))
      }
    },
    60_000,
  )

  it('does not hold up the check of its numbers, which takes minutes where each number reads the whole text', () => {
    const text = `${'1-'.repeat(2 * length)} [1].`
    expect(checkClaims(splitClaims(text), [passage], cited.citations)).toHaveLength(1)
  }, 60_000)
})
