/** A quotation in a text: its half-open span including the marks, and the words between them. */
export interface Quotation {
  readonly start: number
  readonly end: number
  readonly text: string
}

const closingMarks: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '„': '“',
  '«': '»',
  '‘': '’',
}

/** Finds the outermost quotations of `text` in order. Apostrophes, inch marks and unpaired marks are ignored. */
export function findQuotations(text: string): Quotation[] {
  return scanQuotations(text).closed
}

/** Whether `text` ends inside a quotation in double marks. */
export function endsInQuotation(text: string): boolean {
  return scanQuotations(text).open.some((closer) => closer !== '’')
}

function scanQuotations(text: string): { closed: Quotation[]; open: readonly string[] } {
  const closed: Quotation[] = []
  const open: string[] = []
  let start = 0
  for (const { 0: mark, index } of text.matchAll(/["“”„«»‘’]/g)) {
    if (mark === open.at(-1) && isClosingMark(text, index, mark)) {
      open.pop()
      const end = index + 1
      if (open.length === 0) closed.push({ start, end, text: text.slice(start + 1, index) })
      continue
    }
    const closer = closingMarks[mark]
    if (closer === undefined || !isOpeningMark(text, index)) continue
    if (open.length === 0) start = index
    open.push(closer)
  }
  return { closed, open }
}

function isOpeningMark(text: string, index: number): boolean {
  return (
    /(?:^|[\s([{*_—–/"“„«‘-])$/.test(text.slice(Math.max(0, index - 1), index)) &&
    /^\S/.test(text.slice(index + 1, index + 2))
  )
}

function isClosingMark(text: string, index: number, mark: string): boolean {
  if (mark === '’') return !/^\p{L}/u.test(text.slice(index + 1, index + 3))
  return (
    mark !== '"' ||
    !isOpeningMark(text, index) ||
    /\S$/.test(text.slice(Math.max(0, index - 1), index))
  )
}
