import { basename, extname } from 'node:path'
import type { Hash } from '../kernel/json.ts'
import type { TextContent } from './markdown.ts'

const MAX_TITLE_CHARS = 100

/** A plain text as it is; its title is its first line, if that reads like one, else the file's name. */
export function readPlainText(text: string, id: Hash, path: string): TextContent {
  const title = titleIn(text) ?? basename(path, extname(path))
  return { title, text, pages: [], sections: [], csl: { id, type: 'document', title } }
}

/** The first line when it is short, has no sentence's end, and a blank line or an underline follows. */
function titleIn(text: string): string | undefined {
  const [first = '', second = ''] = text.slice(0, 2_000).trimStart().split('\n')
  const title = first.trim()
  const isSetApart = second.trim() === '' || /^([=\-~*#^"'`])\1{2,}\s*$/.test(second)
  const isTitle =
    /\p{L}{2}/u.test(title) && title.length <= MAX_TITLE_CHARS && !/[.,;:!{}<>]$/.test(title)
  return isTitle && isSetApart && text.trim().length > title.length ? title : undefined
}
