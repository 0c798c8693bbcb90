import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageForModel, storeMessage } from '../../src/citations/manager/stored-message.ts'
import { replaceLeftovers } from '../../src/citations/markup/leftover-addresses.ts'
import { parseCitations } from '../../src/citations/markup/parse-citations.ts'
import { renderForModel } from '../../src/citations/markup/stored-text.ts'
import { CitationIndex } from '../../src/citations/numbers/citation-index.ts'
import { type Message, messageText, type Role } from '../../src/kernel/agent/message.ts'

const url = fc
  .tuple(
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.constantFrom('', 'x', 'x(y)', '?q=1&r=2', '#z', 'x;y'),
  )
  .map(([host, path]) => `https://${host}.org/${path}`)
const n = fc.integer({ min: 0, max: 6 })
const piece = fc.oneof(
  url,
  url.map((at) => `<${at}>`),
  url.map((at) => `[words](${at} "title")`),
  url.map((at) => `<cite url="${at}">x</cite>`),
  url.map((at) => `![picture](${at})`),
  url.map((at) => `\`${at} [1]\``),
  url.map((at) => `{"at": "${at}", "ids": [1]}`),
  fc.tuple(n, url).map(([label, at]) => `\n\n[${label}]: ${at}\n\n`),
  n.map((label) => `[${label}]`),
  n.map((label) => `[!CITE_${label}!]`),
  n.map((label) => `<i idx="${label}">x</i>`),
  fc.constantFrom(
    ' ',
    '\n',
    '\n\n',
    '    ',
    '```\n',
    'word',
    '. ',
    '(',
    ')',
    '"',
    '\\',
    '{',
    '}',
    ']',
    '- ',
  ),
)
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
const role = fc.constantFrom<Role>('user', 'assistant', 'system')

function messageOf(said: string, by: Role): Message {
  return { id: 'm', role: by, parts: [{ type: 'text', text: said }], createdAt: 0 }
}

function startIndex(): CitationIndex {
  const index = new CitationIndex()
  for (const at of ['https://a.org/', 'https://z.org/', 'https://b.org/x']) index.add({ url: at })
  return index
}

const known = (index: CitationIndex) => (number: number) => index.entry(number) !== undefined

/** Any address, in whatever writing a browser or a reader of JSON takes for one; nothing of ours decides what that is. */
const anyAddress = /https?(?::|&colon;|\\u003a)(?:[\\/]|&#47;){2,}[^\s"'`<>]/i
const oddUrl = url.map((at) => at.replace('?', '/'))
const oddPiece = fc.oneof(
  oddUrl.map((at) => at.replaceAll('/', '\\/')),
  oddUrl.map((at) => at.replace(':', '\\u003a')),
  oddUrl.map((at) => at.replace(':', '&colon;')),
  oddUrl.map((at) => at.replace('/', '&#47;')),
  oddUrl.map((at) => at.replace('//', '///')),
  oddUrl.map((at) => at.replace('//', '//[')),
  oddUrl.map((at) => at.replace('//', '//%')),
  oddUrl.map((at) => `<img src="${at}">`),
  oddUrl.map((at) => `<a href=${at}>x</a>`),
  oddUrl.map((at) => `<i data-at='${at}'/>`),
  oddUrl.map((at) => `{"at": "${at.replaceAll('/', '\\/')}", "in": "{\\"at\\": \\"${at}\\"}"}`),
  fc.constantFrom('git+', 'view-source:', 'x', '=', "'", '<', '>', '[', '!', '!['),
)
/** Texts in which nothing is code. */
const withoutCode = fc
  .array(fc.oneof(piece, oddPiece), { maxLength: 12 })
  .map((pieces) => pieces.join('').replaceAll(/[`~\t]| {2,}/g, ' '))

function textIn({ parts }: Message): string {
  return parts
    .map((part) =>
      part.type === 'text' ? part.text : part.type === 'tool-result' ? String(part.output) : '',
    )
    .join('')
}

/** Without numbers that stood for nothing when they were written, and stay as they are. */
const withoutPlain = (shown: string) => shown.replaceAll(/\[\d+\]/g, 'n')

describe('any message', () => {
  it('has no address outside of code when a model sees it', () => {
    fc.assert(
      fc.property(text, role, (said, by) => {
        const index = startIndex()
        const shown = messageText(messageForModel(messageOf(said, by), index))
        expect(parseCitations(shown).entries.filter((entry) => entry.url !== undefined)).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  it('has nothing that a plain search for addresses finds, in what a user says or a tool brings', () => {
    fc.assert(
      fc.property(withoutCode, role, (said, by) => {
        const index = startIndex()
        const parts = [
          { type: 'tool-result' as const, toolCallId: '1', toolName: 'read', output: said },
        ]
        const result: Message = { id: 't', role: 'tool', parts, createdAt: 0 }
        for (const message of [messageOf(said, by), result])
          for (const sent of [message, storeMessage(message, index)])
            expect(textIn(messageForModel(sent, index))).not.toMatch(anyAddress)
      }),
      { numRuns: 3000 },
    )
  })

  it('shows a model, and keeps again, the sources that it cites', () => {
    fc.assert(
      fc.property(
        text.filter((said) => !said.includes('{')),
        (said) => {
          const index = startIndex()
          const kept = storeMessage(messageOf(said, 'assistant'), index)
          // What is an address only for a browser is no citation of what is kept.
          replaceLeftovers(renderForModel(messageText(kept), kept.citations ?? []), () => {
            fc.pre(false)
            return ''
          })
          const shown = messageForModel(kept, index)
          const mentioned = parseCitations(withoutPlain(messageText(kept)), () => true).entries
          const numbers = mentioned.flatMap((entry) => kept.citations?.[(entry.n ?? 0) - 1] ?? [])
          const again = parseCitations(withoutPlain(messageText(shown)), known(index)).entries
          expect(again.map((entry) => entry.n)).toEqual(numbers)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('that a tool brought cites only addresses that it has', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (outputs) => {
        const index = startIndex()
        const parts = outputs.map((output, at) => ({
          type: 'tool-result' as const,
          toolCallId: String(at),
          toolName: 'read',
          output,
        }))
        const message: Message = { id: 't', role: 'tool', parts, createdAt: 0 }
        const shown = messageForModel(message, index)
        for (const [at, part] of shown.parts.entries()) {
          const output = part.type === 'tool-result' ? String(part.output) : ''
          const cited = parseCitations(withoutPlain(output), known(index)).entries
          // An address is kept with "<" and its like encoded.
          for (const { n: number = 0 } of cited)
            expect(outputs[at]).toContain(
              decodeURI(index.entry(number)?.url?.replace(/#.*/, '') ?? 'none'),
            )
        }
      }),
      { numRuns: 3000 },
    )
  })
})
