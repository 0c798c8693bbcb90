import { bareAddress, startsAddress } from '../markup/addresses.ts'

/** The http and https addresses in an entry of a list of references, each once. */
export function addressesIn(words: string): readonly string[] {
  const found = new Set<string>()
  for (const { index } of words.matchAll(/https?:\/\//gi)) {
    if (!startsAddress(words, index)) continue
    const { url } = bareAddress(words, index, words.length)
    if (url !== undefined) found.add(url)
  }
  return [...found]
}

/** Kinds of files that are read. */
const fileName =
  /(?<![\w/.~-])[\w.~@%+/-]*\w\.(?:pdf|md|markdown|txt|text|html?|docx|xlsx|pptx|epub|csv|tsv)\b/gi
/** "Title — a folder/a file.pdf, p. 3", and "Title, a folder/a file.pdf (p. 3)": as answers print it. */
const lastPart = /(?: — |, )([^,—]+?\.\w{2,8})(?:, [^,]*| \([^()]*\))?\.?$/

/** What may be the path of a file in an entry of a list of references, the likeliest first, each once. */
export function pathsIn(words: string): readonly string[] {
  const withoutAddresses = words.replaceAll(/https?:\/\/\S*/gi, ' ')
  const [, printed] = lastPart.exec(withoutAddresses.trim()) ?? []
  const names = withoutAddresses.match(fileName) ?? []
  return [...new Set([...(printed === undefined ? [] : [printed.trim()]), ...names])]
}
