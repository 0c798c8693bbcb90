import {
  mayStartAddress,
  readBareAddress,
  startsAddress,
} from '../../citations/markup/addresses.ts'

/** The http and https addresses in an entry of a reference list, each once. */
export function findAddresses(words: string): readonly string[] {
  const found = new Set<string>()
  for (let at = words.search(/https?:\/\//i); at >= 0; ) {
    const address =
      startsAddress(words, at) && mayStartAddress(words, at)
        ? readBareAddress(words, at, words.length)
        : { end: at + 1 }
    if ('url' in address && address.url !== undefined) found.add(address.url)
    const from = Math.max(address.end, at + 1)
    const next = words.slice(from, from + maxGapChars).search(/https?:\/\//i)
    at = next < 0 ? -1 : from + next
  }
  return [...found]
}

/** The maximum distance between two addresses of one entry, in characters. */
const maxGapChars = 5_000

/** The DOIs and arXiv ids in an entry, as addresses. */
export function findIdentifierAddresses(words: string): readonly string[] {
  const found = [...words.matchAll(identifier)].map(([, doi, arxiv]) =>
    toIdentifierAddress(doi, arxiv),
  )
  return [...new Set(found)]
}

/** `doi:10.1000/x`, `10.1000/x`, `arXiv:2301.00001v2`. */
export const identifier =
  /(?<![\w./-])(?:doi:\s?)?(10\.\d{4,9}\/[^\s"<>[\]{}|\\^`]{1,200})|\barxiv:\s?((?:\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,2})?)(?![\w/])/gi

/** The address of a DOI, without the sentence's punctuation, or of an arXiv id. */
export function toIdentifierAddress(doi: string | undefined, arxiv: string | undefined): string {
  return doi === undefined
    ? `https://arxiv.org/abs/${arxiv}`
    : `https://doi.org/${trimPunctuation(doi)}`
}

/** A DOI without the punctuation or bracket after it. */
function trimPunctuation(doi: string): string {
  let end = doi.length
  while (end > 0 && isTrailing(doi, end)) end--
  return doi.slice(0, end)
}

function isTrailing(doi: string, end: number): boolean {
  const last = doi.charAt(end - 1)
  if (last !== ')') return ".,;:!?'*_".includes(last)
  const own = doi.slice(0, end)
  return own.split(')').length > own.split('(').length
}

/** File types that can be read. */
const extension = /\.(?:pdf|md|markdown|txt|text|html?|docx|xlsx|pptx|epub|csv|tsv)$/i
/** "Title — a folder/a file.pdf, p. 3" and "Title, a folder/a file.pdf (p. 3)", as answers print them. */
const lastPart = /(?: — |, )([^,—]{1,300}?\.\w{2,8})(?:, [^,]{0,80}| \([^()]{0,80}\))?\.?$/

/** Possible file paths in an entry of a reference list, the most likely first, each once. */
export function findPaths(words: string): readonly string[] {
  const plain = words
    .slice(0, maxEntryChars)
    .replaceAll(/https?:\/\/\S*/gi, ' ')
    .trim()
  const [, printed = ''] = lastPart.exec(plain) ?? []
  const names = plain.split(/[\s<>()[\]"'“”,;]+/).map((word) => word.replace(/[.:]$/, ''))
  return [...new Set([printed.trim(), ...names])].filter((path) => extension.test(path))
}

/** In characters; longer text is not part of a path. */
const maxEntryChars = 2_000
