import { spawnSync } from 'node:child_process'

/** How poppler is asked: in the order of its own layout analysis, or as the PDF draws its text. */
export type PopplerOrder = 'layout' | 'drawn'

/** The text of each page as poppler's `pdftotext` gives it; `undefined` where that program is not installed. */
export function popplerPages(path: string, order: PopplerOrder): readonly string[] | undefined {
  const flags = order === 'drawn' ? ['-raw'] : []
  const ran = spawnSync('pdftotext', [...flags, '-enc', 'UTF-8', path, '-'], { maxBuffer: 2 ** 28 })
  return ran.error === undefined ? ran.stdout.toString('utf8').split('\f') : undefined
}

/** How many runs of `length` words of the reference there are, and how many of them the text has too. */
export function sharedRuns(
  reference: string,
  text: string,
  length: number,
): { readonly found: number; readonly total: number } {
  const wanted = runsOf(reference, length)
  const got = runsOf(text, length)
  let found = 0
  let total = 0
  for (const [run, times] of wanted) {
    total += times
    found += Math.min(times, got.get(run) ?? 0)
  }
  return { found, total }
}

function runsOf(text: string, length: number): Map<string, number> {
  const joined = text.normalize('NFKC').toLowerCase().replace(/-\n/g, '')
  const words = joined.match(/[\p{L}\p{N}]+/gu) ?? []
  const counts = new Map<string, number>()
  for (let index = 0; index + length <= words.length; index++) {
    const run = words.slice(index, index + length).join(' ')
    counts.set(run, (counts.get(run) ?? 0) + 1)
  }
  return counts
}
