import { type Reader, refused } from './document.ts'
import { readHtmlBytes } from './files/html/read-html.ts'

/** Reads a saved web page: its main text. */
export const readHtmlFile: Reader = async (bytes, { contentHash, path }) => {
  const read = await readHtmlBytes(bytes, contentHash, path)
  return 'reason' in read ? refused(read) : { ok: true, content: read }
}
