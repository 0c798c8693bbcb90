/*
 * Adds documents until it is killed, and writes how many it has added to stdout after each batch:
 * node library-adder.ts MODULE PLACE
 */
import { writeSync } from 'node:fs'
import { numberedDocument, type OpenLibrary } from './library-fixture.ts'

const [module = '', place = ''] = process.argv.slice(2)
const { openLibrary } = (await import(module)) as { openLibrary: OpenLibrary }
const library = await openLibrary(place)
for (let count = 0; ; ) {
  const batch = Array.from({ length: 7 }, () => numberedDocument(count++))
  await library.addAll(batch.map((document) => ({ document, path: `/${document.title}` })))
  writeSync(1, `${count}\n`)
}
