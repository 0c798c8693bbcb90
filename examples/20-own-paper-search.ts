// Papers from an archive of your own: a tool is a place where papers are searched, and its records are read, cited and checked.
import assert from 'node:assert/strict'
import * as z from 'zod'
import { createApp, defineTool } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const measured = (place: string, degrees: number) => ({
  title: `Glimmerstone from ${place}`,
  authors: ['Ada Quill'],
  published: '2021-05-04',
  url: `https://archive.example/${place}`,
  text: `# Glimmerstone from ${place}\n\n## Results\n\nWe measured that glimmerstone melts at ${degrees} degrees Celsius.\n`,
})
const archive = [measured('Harrowmere', 412), measured('Westmoor', 430)]
const searchArchive = defineTool({
  name: 'search_archive',
  description: 'Searches the papers of our archive.',
  input: z.object({ query: z.string(), limit: z.number() }),
  effect: 'read',
  execute: async ({ limit }) => archive.slice(0, limit),
})
const app = createApp({ home: temporaryFolder(), environment: {} })
const tools = [searchArchive]
const answer = await app.papers({ query: 'melting point of glimmerstone', tools })
console.log(answer.answer)
assert.deepEqual(answer.papers[0]?.foundBy, ['search_archive'])
assert.equal((await app.replay(answer.runId)).isIdentical, true)
await app.close()
