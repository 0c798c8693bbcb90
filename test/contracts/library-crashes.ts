import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Libraries, numberedDocument, titlesFor, wordFor } from './library-fixture.ts'

/** What is left after a real process was killed while it added. */
export function describeCrashes(libraries: Libraries, module: string): void {
  describe('a process that is killed while it adds', () => {
    it.each([1, 12, 60])(
      'leaves whole documents, and all that it was told of, after %i batches',
      async (batches) => {
        const library = await libraries.open()
        const added = await addUntilKilled(module, libraries.place, batches)
        const sources = await library.list()
        expect(sources.length).toBeGreaterThanOrEqual(added)
        expect(sources.length % 7).toBe(0)
        for (let number = 0; number < sources.length; number++) {
          const { contentHash, text, title } = numberedDocument(number)
          expect(await library.text(contentHash)).toBe(text)
          const hits = await library.search({ query: title, limit: 100 })
          expect(hits.map(({ passage }) => passage.start).toSorted((a, b) => a - b)).toEqual(
            (await library.passages(contentHash)).map(({ start }) => start),
          )
        }
        expect(await library.add(numberedDocument(100_000), '/later')).toBe('added')
        expect(await titlesFor(library, wordFor(100_000), { limit: 1 })).toEqual([wordFor(100_000)])
      },
    )
  })
}

/** Kills the adder after so many batches; how many documents it had said were added. */
async function addUntilKilled(module: string, place: string, batches: number): Promise<number> {
  const script = fileURLToPath(new URL('./library-adder.ts', import.meta.url))
  const adder = spawn(process.execPath, [script, module, place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(adder, 'close')
  let [added, done] = [0, 0]
  for await (const line of createInterface({ input: adder.stdout })) {
    added = Number(line)
    done++
    if (done === batches) adder.kill('SIGKILL')
  }
  await closed
  return added
}
