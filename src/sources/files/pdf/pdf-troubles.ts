import type { Unreadable } from '../../document.ts'

/**
 * A problem with a page. `what` is pdf.js's reason, the missing character map, why text is hidden, or the number of the
 * identical page.
 */
export interface PageTrouble {
  readonly page: number
  readonly kind:
    | 'no_text'
    | 'unknown_letters'
    | 'character_map'
    | 'failed'
    | 'hidden'
    | 'recognised'
    | 'again'
  readonly what?: string
}

const ocrHint = 'Run OCR first (for example: ocrmypdf in.pdf out.pdf) and add the result.'

/** Why pdf.js could not open a file. */
export function toUnreadable(error: unknown): Unreadable {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === 'PasswordException') {
    const hint =
      'Remove the password (for example: qpdf --decrypt in.pdf out.pdf) and add the result.'
    return { reason: 'encrypted', detail: 'It is password-protected.', hint }
  }
  const reason = trimStop(message)
  const hint =
    'Open it in a PDF viewer; if that works, print it to a new PDF, otherwise download it again.'
  return { reason: 'broken', detail: `The PDF is incomplete or damaged: ${reason}.`, hint }
}

/** Why a PDF without any text is refused. */
export function explainNoText(troubles: readonly PageTrouble[], pageCount: number): Unreadable {
  const count = pageCount === 1 ? 'Its only page' : `All its ${pageCount} pages`
  const failed = troubles.filter((trouble) => trouble.kind === 'failed')
  if (failed.length > 0 && failed.length === troubles.length) {
    const hint =
      'Open it in a PDF viewer; if that works, print it to a new PDF, otherwise download it again.'
    return {
      reason: 'broken',
      detail: `${count} could not be read: ${trimStop(failed[0]?.what ?? '')}.`,
      hint,
    }
  }
  const map = troubles.find((trouble) => trouble.kind === 'character_map')?.what
  if (map !== undefined) {
    const detail = `Its text needs the character map ${map}, which is neither in the file nor included in Scholium.`
    return {
      reason: 'no_text',
      detail,
      hint: `Save it again with its fonts embedded, or run OCR first (for example: ocrmypdf --force-ocr in.pdf out.pdf) and add the result.`,
    }
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
  if (kind === 'character_map') return `text is missing that needs the character map ${what}`
  return `could not be read: ${trimStop(what)}`
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

/** The text without its final full stop. */
export function trimStop(text: string): string {
  return text.replace(/\.$/, '')
}
