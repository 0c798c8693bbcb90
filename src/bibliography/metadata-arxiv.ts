import { ScholiumError } from '../kernel/errors.ts'
import { isRecord, readText, toCslItem } from './csl-item.ts'
import { type MetadataRecord, parseDate, parseName } from './metadata-record.ts'

/**
 * Parses a response of the arXiv API (Atom).
 * @throws {@link ScholiumError} `invalid_input` for text that is not an Atom feed
 * @see https://info.arxiv.org/help/api/user-manual.html
 */
export async function cslFromArxiv(atom: string): Promise<readonly MetadataRecord[]> {
  const feed = await parseFeed(atom)
  const entries = Array.isArray(feed.entry) ? feed.entry : [feed.entry]
  return entries.flatMap((entry: unknown) => (isRecord(entry) ? readRecords(entry) : []))
}

async function parseFeed(atom: string): Promise<Readonly<Record<string, unknown>>> {
  const { XMLParser } = await import('fast-xml-parser')
  const parser = new XMLParser({
    ignoreAttributes: true,
    parseTagValue: false,
    isArray: (name) => name === 'author',
  })
  try {
    const document: unknown = parser.parse(atom)
    if (isRecord(document) && isRecord(document.feed)) return document.feed
  } catch (cause) {
    throw new ScholiumError('invalid_input', 'The response from arXiv is not well-formed.', {
      cause,
    })
  }
  throw new ScholiumError('invalid_input', 'The response from arXiv is not an Atom feed.')
}

function readRecords(entry: Readonly<Record<string, unknown>>): readonly MetadataRecord[] {
  const address = readText(entry.id)
  const id = /arxiv\.org\/abs\/(\S+)$/.exec(address ?? '')?.[1]
  // Errors are returned as entries too, with a URL of their own.
  if (id === undefined) return []
  const comment = readText(entry['arxiv:comment'])
  const isWithdrawn = /\b(?:withdrawn|retracted)\b/i.test(comment ?? '')
  const item = toCslItem(
    {
      type: 'article',
      genre: 'Preprint',
      title: entry.title,
      author: readAuthors(entry.author),
      issued: parseDate(entry.published),
      publisher: 'arXiv',
      number: `arXiv:${id}`,
      DOI: entry['arxiv:doi'],
      URL: `https://arxiv.org/abs/${id}`,
      abstract: entry.summary,
      note: entry['arxiv:journal_ref'],
    },
    `arXiv:${id}`,
  )
  return [
    {
      source: 'arxiv',
      item,
      ...(isWithdrawn ? { retraction: `its comment says: ${comment}` } : {}),
    },
  ]
}

function readAuthors(authors: unknown): unknown {
  if (!Array.isArray(authors)) return undefined
  return authors.flatMap((author: unknown) => {
    const name = isRecord(author) ? readText(author.name) : undefined
    return name === undefined ? [] : parseName(name)
  })
}
