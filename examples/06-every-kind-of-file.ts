// A table, a web page and an archive: each answer says in which place of which file it was read.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { strToU8, zipSync } from 'fflate'
import { createApp } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const folder = temporaryFolder()
const archive = join(folder, 'archive.zip')
const report = '# Report of 1987\n\nThe boiler was bought from Kessel & Sons.\n'
writeFileSync(archive, zipSync({ 'reports/1987.md': strToU8(report) }))

const app = createApp({ home: join(folder, 'home') })
const files = fileURLToPath(new URL('06-files', import.meta.url))
for await (const added of app.addToLibrary([files, archive])) console.log(added.outcome, added.path)

const asked = [
  ['What is the height of Vanda coerulea?', /120/, /orchids\.csv$/],
  ['When does the greenhouse open?', /9:30/, /visit\.html$/],
  ['From whom was the boiler bought?', /Kessel & Sons/, /archive\.zip.reports.1987\.md$/],
] as const
for (const [question, expected, place] of asked) {
  const { answer, citations } = await app.ask({ question })
  console.log(`${question}\n  ${answer}\n  ${citations[0]?.path}`)
  assert.match(answer, expected)
  assert.match(citations[0]?.path ?? '', place)
}
await app.close()
