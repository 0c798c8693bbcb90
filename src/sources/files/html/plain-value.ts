/**
 * A string that a page says of itself as one line of plain text of at most `maxChars` characters: tags and control
 * characters taken out, entities read. `undefined` for anything else, and for nothing.
 */
export function plainValue(value: unknown, maxChars: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = readEntities(value.slice(0, 4 * maxChars))
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, ' ')
    .replace(UNSEEN, '')
    .replace(/\s+/g, ' ')
    .trim()
  return text === '' ? undefined : text.slice(0, maxChars).toWellFormed().trimEnd()
}

/** Controls, zero-width characters, marks that turn the direction of what follows, and tag characters. */
const UNSEEN =
  /(?!\s)\p{Cc}|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu

function readEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
}
