// Adds files of one's own to the library, asks about them, and sees an honest "the sources do not say".
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-'))
writeFileSync(
  join(folder, 'greenhouse.md'),
  '# The greenhouse\n\nThe greenhouse was built in 1987 by Ada Lindqvist. It holds 212 orchids and 40 ferns.\n',
)
const app = createApp({ home: join(folder, 'home') })
try {
  for await (const added of app.addToLibrary([join(folder, 'greenhouse.md')]))
    console.log(added.outcome, added.path)

  const answer = await app.ask({ question: 'How many orchids does the greenhouse hold?' })
  console.log(answer.answer)
  assert.match(answer.answer, /212/)
  assert.deepEqual(
    answer.citations.map(({ title }) => title),
    ['The greenhouse'],
  )

  const unknown = await app.ask({ question: 'What does a ticket to the greenhouse cost?' })
  console.log(unknown.answer)
  assert.equal(unknown.status, 'unanswered')
  assert.deepEqual(unknown.citations, [])
} finally {
  await app.close()
  rmSync(folder, { recursive: true })
}
