/** What a source may be called without its title. */
const generalNames =
  '(?:the|this|that) (?:same )?(?:source|text|document|article|paper|page|passage|study|report|file|authors?)'
const reportingVerbs =
  '(?:says?|said|states?|stated|reports?|reported|notes?|noted|writes?|wrote|explains?|explained|describes?|puts it)'

/**
 * The statement without the words that only name its source: "According to <title>, …", "<title> states that …",
 * "…, according to <title>". A name that is no cited title stays: nothing shows that it is the source.
 */
export function withoutAttribution(plain: string, titles: readonly string[]): string {
  const lower = plain.toLowerCase()
  const named = titles
    .filter((title) => lower.includes(title.toLowerCase()))
    .map((title) => framesOf(titlePattern(title)))
  for (const { before, after } of [...named, generalFrames]) {
    const opening = before.exec(plain)
    if (opening !== null) return plain.slice(opening[0].length)
    const closing = after.exec(plain)
    if (closing !== null)
      return plain.slice(0, closing.index) + plain.slice(closing.index + closing[0].length)
  }
  return plain
}

interface Frames {
  readonly before: RegExp
  readonly after: RegExp
}

function framesOf(name: string): Frames {
  const marked = `["“‘*_]*${name}["”’*_]*`
  return {
    before: new RegExp(
      `^(?:according to ${marked},?["”’]?|(?:in )?${marked},? ${reportingVerbs}(?: that\\b)?[,:]?)\\s+(?=\\S)`,
      'iu',
    ),
    after: new RegExp(`,\\s+according to ${marked}(?=[.!]?$)`, 'iu'),
  }
}

const generalFrames = framesOf(generalNames)

function titlePattern(title: string): string {
  return `(?:the )?${title.trim().replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`
}
