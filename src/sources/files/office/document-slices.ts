/** A longer main part is read in slices, so that it is never in memory as one tree. */
const wholeUnits = 8_000_000
/** Minimum size of a slice in characters, about thirty pages. Larger slices are no faster and take more memory. */
const sliceUnits = 250_000

/** Word formatting that does not affect the text: most of a document's XML. */
const formatting = new RegExp(
  `<w:(?:${[
    'rFonts|sz|szCs|lang|color|spacing|kern|noProof|proofErr|position|w|bCs|iCs|shd|bdr|lastRenderedPageBreak',
    'jc|contextualSpacing|keepNext|keepLines|widowControl|autoSpaceDE|autoSpaceDN|adjustRightInd|snapToGrid',
  ].join('|')})(?:\\s[^<>]*)?/>|\\sw:rsid\\w*="[^"<>]*"`,
  'g',
)

/**
 * Splits the XML of a Word document's main part into slices, each a complete document; a short one is one slice. Cuts
 * are between top-level parts of the body, never inside a field, which may span paragraphs, or before a list item, whose
 * numbering would restart.
 */
export function* sliceDocument(written: string): Iterable<string> {
  const open = /<(?:[\w.-]+:)?body(?:\s[^<>]*)?>/.exec(written)
  if (written.length <= wholeUnits || open === null) {
    yield written
    return
  }
  const end = written.lastIndexOf('</', written.lastIndexOf('</') - 1)
  const start = open.index + open[0].length
  const before = written.slice(0, start)
  const after = end < start ? '' : written.slice(end)
  const body = written.slice(start, end < start ? undefined : end).replace(formatting, '')
  let from = 0
  for (const cut of findCuts(body)) {
    if (cut - from < sliceUnits || isListed(body, cut)) continue
    yield before + body.slice(from, cut) + after
    from = cut
  }
  if (from < body.length) yield before + body.slice(from) + after
}

/** A tag: closing slash, name without prefix, and the rest. All are `undefined` for comments and the like. */
export const tagPattern =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[?!][^>]*>|<(\/?)(?:[^\s"'<>/:]+:)?([^\s"'<>/:]+)((?:[^"'<>]|"[^"]*"|'[^']*')*)>/g

/** Positions where an element of the body ends and no field is open. */
function* findCuts(body: string): Iterable<number> {
  const scan = new RegExp(tagPattern)
  let depth = 0
  let openFields = 0
  for (let found = scan.exec(body); found !== null; found = scan.exec(body)) {
    const [, slash, , rest] = found
    if (rest === undefined) continue
    if (rest.includes('fldCharType="begin"')) openFields++
    else if (rest.includes('fldCharType="end"')) openFields--
    if (slash === '/') depth--
    else if (!rest.endsWith('/')) depth++
    if (depth === 0 && openFields === 0) yield scan.lastIndex
  }
}

/** Characters after the start of a paragraph that show whether it is a list item. */
const lookUnits = 500

function isListed(body: string, start: number): boolean {
  return body.slice(start, start + lookUnits).includes(':numPr')
}
