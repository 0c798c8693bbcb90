// Puts papers of a folder together without network and model: what each says, what they leave open, each with its page or section.
// Then one paper more: it alone is read and analysed anew.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp, renderPapersAs } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const folder = temporaryFolder()
const addPaper = (name: string, degrees: number) =>
  writeFileSync(
    join(folder, `${name}.md`),
    `# Glimmerstone from ${name}\n\n## Methods\n\nWe measured the melting point of glimmerstone in twelve samples with a calorimeter.\n\n## Results\n\nGlimmerstone melts at ${degrees} degrees Celsius.\n\n## Conclusions\n\nWe conclude that glimmerstone melts at ${degrees} degrees Celsius at sea level.\n`,
  )
addPaper('Harrowmere', 412)
addPaper('Westmoor', 412)

const app = createApp({ home: join(folder, 'home'), folder, environment: {} })
const sources = ['Harrowmere.md', 'Westmoor.md']
const answer = await app.papers({ query: 'melting point of glimmerstone', sources })
console.log(answer.answer)
assert.equal(answer.status, 'answered')
assert.match(await renderPapersAs(answer, 'markdown'), /Glimmerstone from Westmoor/)

// The same again costs nothing: it is the same run.
const again = await app.papers({ query: 'Melting point of glimmerstone?', sources })
assert.equal(again.runId, answer.runId)

addPaper('Northfell', 430)
const more = await app.papers({ continue: answer.runId, add: ['Northfell.md'] })
assert.equal(more.papers.length, 3)
await app.close()
