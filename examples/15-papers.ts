// Puts papers of a folder together without network and model: what each says, what they leave open, each with its page or section.
// Then one paper more, of which alone anything is read and analysed anew.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, renderPapersAs } from '../src/index.ts'

const home = mkdtempSync(join(tmpdir(), 'scholium-'))
const folder = join(home, 'papers-of-mine')
mkdirSync(folder)
const paper = (name: string, title: string, result: string) =>
  writeFileSync(
    join(folder, `${name}.md`),
    `# ${title}\n\n## Methods\n\nWe measured the melting point of glimmerstone in twelve samples with a calorimeter.\n\n## Results\n\nGlimmerstone melts at ${result} degrees Celsius.\n\n## Conclusions\n\nWe conclude that glimmerstone melts at ${result} degrees Celsius at sea level.\n\n## Limitations\n\nFuture work should measure glimmerstone under pressure.\n`,
  )
paper('harrowmere', 'Glimmerstone from Harrowmere', '412')
paper('westmoor', 'Glimmerstone from Westmoor', '412')

const app = createApp({ home, folder, environment: {} })
try {
  const answer = await app.papers({ query: 'melting point of glimmerstone', sources: ['.'] })
  console.log(answer.answer)
  assert.equal(answer.status, 'answered')
  assert.deepEqual(
    answer.papers.map(({ n, status }) => [n, status]),
    [
      [1, 'kept'],
      [2, 'kept'],
    ],
  )
  assert.match(await renderPapersAs(answer, 'markdown'), /Glimmerstone from Westmoor/)

  // The same again costs nothing: it is the same run.
  const again = await app.papers({ query: 'Melting point of glimmerstone?', sources: ['.'] })
  assert.equal(again.runId, answer.runId)
  assert.equal(again.reused?.by, 'same')

  paper('northfell', 'Glimmerstone from Northfell', '430')
  const more = await app.papers({ continue: answer.runId, add: ['northfell.md'] })
  assert.deepEqual(
    more.papers.map(({ n }) => n),
    [1, 2, 3],
  )
} finally {
  await app.close()
  rmSync(home, { recursive: true })
}
