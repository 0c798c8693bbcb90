// Citations of any text: addresses become numbers, models and tools see numbers alone, people get links again.
import assert from 'node:assert/strict'
import * as z from 'zod'
import * as citations from '../src/citations.ts'
import { defineTool } from '../src/index.ts'

// A text cites in any form. Its marks count from 1 in the text itself.
const { text, entries } = citations.parseCitations(
  'Tides follow the Moon [7]. See https://example.org/sea?utm_source=mail, or `arr[1]`.\n\n[7]: https://moon.example/tides "Of tides"',
)
assert.equal(text.trim(), 'Tides follow the Moon [!CITE_1!]. See [!CITE_2!], or `arr[1]`.')

// The index gives each address one number for all messages; the same page is the same number.
const index = new citations.CitationIndex()
index.add({ url: 'https://example.org/sea' })
const numbers = entries.map(({ url = '' }) => index.add({ url }).n)
assert.deepEqual(numbers, [2, 1])

// A model sees numbers and no address, people see links.
console.log(citations.renderForModel(text, numbers).trim())
console.log(citations.renderMarkdown(text, entries).trim())
console.log(citations.renderNotes(text, entries).trim())

// A tool that takes an address takes a number from a model. One that stands for nothing is refused, with the valid range.
const fetchPage = defineTool({
  name: 'fetch_page',
  description: 'Fetches a page.',
  input: z.object({ url: z.string() }),
  effect: 'read',
  execute: async ({ url }) => `fetched ${url}`,
})
const adapted = citations.adaptTool(fetchPage, index)
assert.equal(adapted.parse({ citation: 2 }).ok, true)
const refused = adapted.parse({ citation: 9 })
if (!refused.ok) console.log(refused.reason)
assert.equal(refused.ok, false)
