// Adds your own files to the library, asks about them, and sees an honest "the sources do not say".
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const folder = temporaryFolder()
writeFileSync(
  join(folder, 'greenhouse.md'),
  '# The greenhouse\n\nThe greenhouse was built in 1987 by Ada Lindqvist. It holds 212 orchids and 40 ferns.\n',
)
const app = createApp({ home: join(folder, 'home'), folder })
for await (const added of app.addToLibrary([join(folder, 'greenhouse.md')]))
  console.log(added.outcome, added.path)

const answer = await app.ask({ question: 'How many orchids does the greenhouse hold?' })
console.log(answer.answer)
assert.match(answer.answer, /212/)
assert.equal(answer.citations[0]?.title, 'The greenhouse')

const unknown = await app.ask({ question: 'What does a ticket to the greenhouse cost?' })
console.log(unknown.answer)
assert.equal(unknown.status, 'unanswered')
assert.deepEqual(unknown.citations, [])
await app.close()
