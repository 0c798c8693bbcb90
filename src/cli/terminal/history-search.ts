import type { Edited } from './edit-text.ts'
import {
  type Editor,
  type EditorSite,
  type HistorySearch,
  type Pressed,
  withText,
} from './editor-state.ts'
import type { Key } from './keys.ts'

/** The search that begins with what stands there. */
export function searchFrom({ text, cursor }: Edited): HistorySearch {
  return { query: '', found: undefined, before: { text, cursor } }
}

/** What a key makes of an editor in which an earlier input is looked for. */
export function pressInSearch(
  editor: Editor,
  search: HistorySearch,
  key: Key,
  { history }: EditorSite,
): Pressed {
  const { query, found, before } = search
  const at = (query: string, from: number): Pressed => {
    const index = history.findLastIndex((text, at) => at < from && matches(text, query))
    const isFound = query !== '' && index >= 0
    const text = isFound ? (history[index] as string) : before.text
    const next = { query, before, found: isFound ? index : undefined }
    return { editor: { ...editor, text, cursor: text.length, search: next } }
  }
  if (key.type !== 'key') return at(query + key.text.replaceAll(/\s+/g, ' '), history.length)
  switch (key.name) {
    case 'ctrl+r': {
      const older = at(query, found ?? history.length)
      return older.editor.search?.found === undefined ? { editor } : older
    }
    case 'backspace':
      return at([...query].slice(0, -1).join(''), history.length)
    case 'escape':
    case 'ctrl+g':
    case 'ctrl+c':
      return { editor: { ...editor, ...before, search: undefined } }
    default:
      return { editor: { ...taken(editor, before), shown: found, draft: before.text } }
  }
}

/** The input that was found, in place of what stood there. */
function taken(editor: Editor, before: Edited): Editor {
  const { text } = editor
  return withText({ ...editor, ...before, search: undefined }, text)
}

function matches(text: string, query: string): boolean {
  const isExact = /\p{Lu}/u.test(query)
  return isExact ? text.includes(query) : text.toLowerCase().includes(query.toLowerCase())
}
