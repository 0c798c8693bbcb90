import { readCells } from '../../src/extractive/answer/table-answer.ts'

/**
 * A text with the rows of its tables as a page shows them: the names of the columns once, then the cells of each row. The
 * reader repeats the names in each row so that it can be quoted alone; the labels have them once.
 */
export function plainRows(text: string): string {
  let names = new Set<string>()
  return text
    .split('\n\n')
    .map((paragraph) => {
      const cells = readCells(paragraph)
      if (cells === undefined) return paragraph
      const row = [...cells.values()].join('\n')
      if ([...cells.keys()].every((name) => names.has(name))) return row
      names = new Set(cells.keys())
      return `${[...names].join('\n')}\n${row}`
    })
    .join('\n')
}
