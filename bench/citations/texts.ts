/** A text of about `sizeBytes` characters with `count` citations, for a measurement. */
export interface MadeText {
  readonly name: string
  make(sizeBytes: number, count: number): string
}

const words =
  'The half life of the isotope was measured again in three laboratories, and each of them found a value that agrees with the older one within its error. '

/** Prose of `length` characters from a place in the words that depends on `seed`. */
function prose(length: number, seed: number): string {
  const from = (seed * 37) % words.length
  return words.repeat(2 + Math.ceil(length / words.length)).slice(from, from + length)
}

function page(n: number): string {
  return `https://journal-${n % 97}.example.org/articles/${n}/full_(text)?version=${n % 7}`
}

function made(
  sizeBytes: number,
  count: number,
  citation: (n: number) => string,
  tail = '',
): string {
  const each = Math.max(1, Math.floor((sizeBytes - tail.length) / count))
  const parts: string[] = []
  for (let n = 0; n < count; n++) {
    const written = citation(n)
    const end = n % 5 === 4 ? '\n\n' : ' '
    parts.push(`${prose(Math.max(0, each - written.length - 2), n)} ${written}${end}`)
  }
  return parts.join('') + tail
}

function definitions(count: number, form: (n: number) => string): string {
  return `\n\n${Array.from({ length: count }, (_none, index) => form(index + 1)).join('\n')}\n`
}

/** The forms in which a text may cite, each alone, and all of them together. */
export const madeTexts: readonly MadeText[] = [
  {
    name: 'numbers of 500 sources, defined at the end',
    make: (sizeBytes, count) =>
      made(
        sizeBytes,
        count,
        (n) => `[${(n % 500) + 1}]`,
        definitions(500, (n) => `[${n}]: ${page(n)}`),
      ),
  },
  {
    name: 'marks of 500 sources, defined at the end',
    make: (sizeBytes, count) =>
      made(
        sizeBytes,
        count,
        (n) => `[!CITE_${(n % 500) + 1}!]`,
        definitions(500, (n) => `[!CITE_${n}!]: ${page(n)}`),
      ),
  },
  {
    name: 'links, each to another page',
    make: (sizeBytes, count) => made(sizeBytes, count, (n) => `[as it says](${page(n)})`),
  },
  {
    name: 'bare addresses, each another page',
    make: (sizeBytes, count) => made(sizeBytes, count, page),
  },
  {
    name: 'attributes, each with another page',
    make: (sizeBytes, count) => made(sizeBytes, count, (n) => `<cite url="${page(n)}">x</cite>`),
  },
  {
    name: 'all forms, code between them',
    make: (sizeBytes, count) =>
      made(
        sizeBytes,
        count,
        mixed,
        definitions(500, (n) => `[${n}]: ${page(n)}`),
      ),
  },
]

function mixed(n: number): string {
  const forms = [
    `[${(n % 500) + 1}]`,
    `[it](${page(n % 3000)})`,
    page(n % 3000),
    `<${page(n % 3000)}>`,
  ]
  return n % 40 === 39 ? `\`code [1] ${n}\` [1]` : (forms[n % forms.length] ?? '')
}

/** Texts that make readers with careless patterns take time in the square of the length, one unit repeated. */
export const hostileUnits: readonly string[] = [
  ...[
    '[',
    ']',
    '[!CITE_',
    '[!CITE_1!]',
    '[1',
    '[1,',
    '[1]: ',
    '[1]: x\n',
    '[a][',
    '[a](',
    '[a](<',
    '![',
  ],
  ...[
    '[a](http://x "',
    '[a](http://x (',
    'http://',
    'http://%',
    'https://a.com/((',
    'https://a.com,',
  ],
  ...['<a href="', "<a href='", '<a b="<a b=\'', '<a x ', '<', '<https://', '`', '``` ', '` `` '],
  ...['(', '\\', '\n', ' \n', '\r', '\t', '> ', '- ', '#', '~~~\n', '&amp;', '[x](http://a.com)'],
  ...['# Sources\n[1] http://x.y\n', '[!CITE_1!]: [!CITE_2!]\n', '[1]: . . http://a.com', '[^1]: '],
]
