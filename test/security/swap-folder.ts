import { renameSync, rmSync, symlinkSync } from 'node:fs'

/** Swaps a folder for a link and back for as long as the process lives: `node swap-folder.ts FOLDER LINK_TARGET`. */
const [folder = '', target = ''] = process.argv.slice(2)
const aside = `${folder}.aside`
const pause = new Int32Array(new SharedArrayBuffer(4))

process.stdout.write('swapping\n')
for (let round = 0; ; round++) {
  renameSync(folder, aside)
  place(() => symlinkSync(target, folder))
  wait((round * 37) % 120)
  place(() => renameSync(aside, folder))
  // Now and then long enough for a whole call, which has to succeed.
  wait(round % 4 === 0 ? 3_000 : (round * 53) % 120)
}

/** Puts something in the folder's place, also where somebody made a folder of its name in between. */
function place(put: () => void): void {
  for (;;) {
    try {
      rmSync(folder, { recursive: true, force: true })
      put()
      return
    } catch {
      // It was made again: once more.
    }
  }
}

/** For different times, none at all among them, so that every moment between two looks is met. */
function wait(microseconds: number): void {
  if (microseconds > 20) Atomics.wait(pause, 0, 0, microseconds / 1_000)
}
