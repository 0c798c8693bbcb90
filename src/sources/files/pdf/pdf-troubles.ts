import type { Unreadable } from '../../document.ts'
import type { OpenFailure } from './pdf-file.ts'

/**
 * A problem with a page. `what` is why it failed, why text is hidden, or the number of the identical page.
 */
export interface PageTrouble {
  readonly page: number
  readonly kind: 'no_text' | 'unknown_letters' | 'failed' | 'hidden' | 'recognised' | 'again'
  readonly what?: string
}

const ocrHint = 'Run OCR first (for example: ocrmypdf in.pdf out.pdf) and add the result.'

const openHint =
  'Open it in a PDF viewer; if that works, print it to a new PDF, otherwise download it again.'

/** Why PDFium could not open a file. */
export function explainOpenFailure(failure: OpenFailure): Unreadable {
  if (failure === 'damaged')
    return {
      reason: 'broken',
      detail: 'The PDF is incomplete or damaged: it has no pages that can be found.',
      hint: openHint,
    }
  const detail =
    failure === 'password' ? 'It is password-protected.' : 'It is encrypted in an unknown way.'
  const hint =
    'Remove the password (for example: qpdf --decrypt in.pdf out.pdf) and add the result.'
  return { reason: 'encrypted', detail, hint }
}

/** Why a PDF without any text is refused. */
export function explainNoText(troubles: readonly PageTrouble[], pageCount: number): Unreadable {
  const count = pageCount === 1 ? 'Its only page' : `All its ${pageCount} pages`
  const failed = troubles.filter((trouble) => trouble.kind === 'failed')
  if (failed.length > 0 && failed.length === troubles.length) {
    return { reason: 'broken', detail: `${count} could not be read.`, hint: openHint }
  }
  if (troubles.some((trouble) => trouble.kind === 'unknown_letters')) {
    return {
      reason: 'no_text',
      detail: 'Its fonts do not map glyphs to characters.',
      hint: ocrHint,
    }
  }
  const hidden = troubles.find((trouble) => trouble.kind === 'hidden')?.what
  if (hidden !== undefined) {
    const detail = `Its text is invisible to readers: it is ${hidden}.`
    return { reason: 'no_text', detail, hint: ocrHint }
  }
  const none =
    pageCount === 1 ? 'Its only page has no text' : `None of its ${pageCount} pages has text`
  const detail = `${none}: only scans, images or form fields.`
  return { reason: 'no_text', detail, hint: ocrHint }
}

/** One line per kind of problem, with its pages. */
export function describePages(troubles: readonly PageTrouble[]): string[] {
  const groups = new Map<string, number[]>()
  for (const { page, kind, what } of troubles) {
    const said = describeTrouble(kind, what ?? '')
    groups.set(said, [...(groups.get(said) ?? []), page])
  }
  return [...groups].map(
    ([said, pages]) => `${pages.length === 1 ? 'page' : 'pages'} ${formatRanges(pages)}: ${said}`,
  )
}

function describeTrouble(kind: PageTrouble['kind'], what: string): string {
  if (kind === 'no_text') return 'no text; possibly a scan or an image'
  if (kind === 'unknown_letters') return 'fonts without a character mapping; text is missing'
  if (kind === 'hidden') return `hidden text was omitted: text ${what}`
  if (kind === 'recognised') return 'text from OCR'
  if (kind === 'again') return `identical to page ${what}`
  return `could not be read: ${what}`
}

/** Ascending numbers with ranges: "1–3, 7". */
function formatRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && number === last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}
