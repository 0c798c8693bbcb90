import {
  docxOf,
  epubOf,
  paragraph,
  pptxOf,
  shapeOf,
  xlsxOf,
  zipOf,
} from '../../test/sources/office-files.ts'

/** A file of one kind. */
export interface Sample {
  readonly name: string
  /** @param share - of its full size, greater than 0, at most 1 */
  make(share: number): string | Uint8Array
}

const words =
  'the tide rises and falls twice a day because the moon pulls the water on the near side more than the earth itself and the far side less'.split(
    ' ',
  )

/** `count` words that differ from place to place. */
export function prose(count: number, seed: number): string {
  return Array.from({ length: count }, (_, index) => {
    const word = words[(seed * 7 + index * 3) % words.length]
    return index % 12 === 0 ? `${word}${(seed * 31 + index) % 997}.` : word
  }).join(' ')
}

const row = (number: number) => [
  `Port ${number}`,
  `${number % 97}.${number % 10}`,
  prose(12, number),
]

/** Files of each kind: at full size, 1,000 pages to 100 MB. */
export const samples: readonly Sample[] = [
  { name: 'text.txt', make: (share) => paragraphs(100_000 * share).join('\n\n') },
  {
    name: 'markdown.md',
    make: (share) =>
      paragraphs(100_000 * share)
        .map((text, index) => `## Part ${index}\n\n${text}`)
        .join('\n\n'),
  },
  { name: 'table.csv', make: (share) => `port,range,text\n${rowLines(150_000 * share)}` },
  { name: 'large-table.csv', make: (share) => `port,range,text\n${rowLines(1_150_000 * share)}` },
  {
    name: 'page.html',
    make: (share) =>
      `<!doctype html><title>Tides</title><article>${paragraphs(4_000 * share)
        .map((text) => `<p>${text}</p>`)
        .join('')}</article>`,
  },
  {
    name: 'letter.docx',
    make: (share) =>
      docxOf(
        paragraphs(10_000 * share)
          .map((text) => paragraph(text))
          .join(''),
      ),
  },
  {
    name: 'workbook.xlsx',
    make: (share) =>
      xlsxOf({
        Ports: [
          ['Port', 'Range', 'Text'],
          ...Array.from({ length: Math.ceil(50_000 * share) }, (_, index) => [
            `Port ${index}`,
            index / 7,
            prose(12, index),
          ]),
        ],
      }),
  },
  {
    name: 'talk.pptx',
    make: (share) =>
      pptxOf(
        Array.from({ length: Math.ceil(1_000 * share) }, (_, index) => ({
          title: `Slide ${index}`,
          shapes: shapeOf(paragraphs(6)),
        })),
      ),
  },
  {
    name: 'book.epub',
    make: (share) =>
      epubOf(
        Object.fromEntries(
          Array.from({ length: Math.ceil(60 * share) }, (_, index) => [
            `c${index}.xhtml`,
            paragraphs(150)
              .map((text) => `<p>${text}</p>`)
              .join(''),
          ]),
        ),
        '<dc:title>Tides</dc:title>',
      ),
  },
  {
    name: 'notes.zip',
    make: (share) =>
      zipOf(
        Object.fromEntries(
          Array.from({ length: Math.ceil(1_000 * share) }, (_, index) => [
            `${index}.md`,
            paragraphs(20).join('\n\n'),
          ]),
        ),
      ),
  },
]

function paragraphs(count: number): readonly string[] {
  return Array.from({ length: Math.ceil(count) }, (_, index) => prose(60, index))
}

function rowLines(count: number): string {
  return Array.from({ length: Math.ceil(count) }, (_, index) => row(index).join(',')).join('\n')
}
