import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** How many of the titles that a person took down from the first page are found. */
export interface TitleResult {
  readonly papers: number
  /** With the same words. */
  readonly right: number
  /** With the same letters, whatever the spaces between them. */
  readonly sameLetters: number
  readonly wrong: readonly string[]
}

/** Compares titles with `titles.json`, whatever their capitals and punctuation. */
export function compareTitles(found: ReadonlyMap<string, string>): TitleResult {
  const file = readFileSync(new URL('titles.json', import.meta.url), 'utf8')
  const wanted = new Map(Object.entries(JSON.parse(file) as Record<string, string>))
  const pairs = [...found].flatMap(([path, title]) => {
    const label = wanted.get(basename(path))
    return label === undefined ? [] : [{ title, label }]
  })
  const isRight = ({ title, label }: { title: string; label: string }, joint: string) =>
    wordsOf(title).join(joint) === wordsOf(label).join(joint)
  return {
    papers: pairs.length,
    right: pairs.filter((pair) => isRight(pair, ' ')).length,
    sameLetters: pairs.filter((pair) => isRight(pair, '')).length,
    wrong: pairs.filter((pair) => !isRight(pair, ' ')).map(({ title }) => title),
  }
}

function wordsOf(title: string): readonly string[] {
  return (
    title
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
