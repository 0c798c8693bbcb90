import { withoutControls } from '../render/text.ts'
import {
  after,
  before,
  type Edited,
  inserted,
  lineEnd,
  lineStart,
  settled,
  without,
  wordAfter,
  wordBefore,
} from './edit-text.ts'
import {
  changed,
  cleared,
  type Editor,
  type EditorSite,
  emptyEditor,
  type HistorySearch,
  type Menu,
  type Pressed,
  withText,
} from './editor-state.ts'
import type { Key } from './keys.ts'
import { moveRow } from './layout-editor.ts'

/** Applies a key to the editor. */
export function press(editor: Editor, key: Key, site: EditorSite): Pressed {
  if (editor.search !== undefined) return pressInSearch(editor, editor.search, key, site)
  if (key.type !== 'key') return { editor: withMenu(typed(editor, key), site) }
  return (
    pressInMenu(editor, key.name, site) ??
    pressAction(editor, key.name, site) ??
    pressEdit(editor, key.name, site)
  )
}

/** Inserted text is plain text: control characters of a paste could have effects. */
function typed(editor: Editor, key: Exclude<Key, { type: 'key' }>): Editor {
  const text = withoutControls(key.text.replaceAll(/\r\n?/g, '\n'))
  const isWord = key.type === 'text' && !/\s/.test(text)
  return changed(editor, inserted(editor, text), isWord ? 'insert' : 'other')
}

function withMenu(editor: Editor, site: EditorSite): Editor {
  const choices = site.choices(editor)
  if (choices === undefined || choices.items.length === 0) return { ...editor, menu: undefined }
  return { ...editor, menu: { ...choices, selected: 0, isChosen: choices.takesEnter } }
}

function pressInMenu(editor: Editor, name: string, site: EditorSite): Pressed | undefined {
  const { menu } = editor
  if (menu === undefined) return undefined
  const isTaken = name === 'tab' || (name === 'enter' && menu.isChosen)
  if (isTaken) return { editor: chosen(editor, menu, site) }
  if (name === 'escape') return { editor: { ...editor, menu: undefined } }
  const step =
    name === 'up' || name === 'ctrl+p' ? -1 : name === 'down' || name === 'ctrl+n' ? 1 : 0
  if (step === 0) return undefined
  const count = menu.items.length
  const selected = (menu.selected + step + count) % count
  return { editor: { ...editor, menu: { ...menu, selected, isChosen: true } } }
}

/** The editor with the selected item inserted. After a folder, the menu stays open for its entries. */
function chosen(editor: Editor, menu: Menu, site: EditorSite): Editor {
  const { text = '' } = menu.items[menu.selected] ?? {}
  const rest = without(editor, menu.from, editor.cursor)
  const isOpen = text.endsWith('/')
  const next = rest.text[rest.cursor]
  const added = isOpen || next === ' ' || next === '\n' ? text : `${text} `
  const taken = changed(editor, inserted(rest, added), 'other')
  return isOpen ? withMenu(taken, site) : taken
}

function pressAction(editor: Editor, name: string, site: EditorSite): Pressed | undefined {
  switch (name) {
    case 'enter':
      return submitted(editor)
    case 'ctrl+c':
      return { editor: cleared(editor), action: { type: 'interrupt' } }
    case 'ctrl+d':
      return editor.text === '' ? { editor, action: { type: 'leave' } } : undefined
    case 'escape':
      return { editor, action: { type: 'escape' } }
    case 'ctrl+l':
      return { editor, action: { type: 'redraw' } }
    case 'ctrl+z':
      return { editor, action: { type: 'suspend' } }
    case 'ctrl+o':
      return { editor, action: { type: 'expand' } }
    case 'tab':
      return { editor: withMenu(editor, site) }
    case 'ctrl+r':
      return { editor: { ...editor, menu: undefined, search: searchFrom(editor) } }
    default:
      return undefined
  }
}

/** A backslash at the end continues the line. */
function submitted(editor: Editor): Pressed {
  const { text, cursor } = editor
  const isAtEnd = cursor === text.length
  if (isAtEnd && /(?:^|[^\\])\\$/.test(text)) {
    const edited = inserted(without(editor, cursor - 1, cursor), '\n')
    return { editor: changed(editor, edited, 'other') }
  }
  if (text.trim() === '') return { editor: cleared(editor) }
  return { editor: { ...emptyEditor, killed: editor.killed }, action: { type: 'submit', text } }
}

function pressEdit(editor: Editor, name: string, site: EditorSite): Pressed {
  if (name === 'up' || name === 'down' || name === 'ctrl+p' || name === 'ctrl+n')
    return { editor: vertical(editor, name === 'up' || name === 'ctrl+p' ? -1 : 1, site) }
  if (name === 'ctrl+_') return { editor: undone(editor) }
  if (name === 'ctrl+y') {
    return { editor: changed(editor, inserted(editor, editor.killed), 'other') }
  }
  const edit = editKeys[name]
  if (edit === undefined) return { editor }
  const { kind, to } = edit
  const target = to(editor)
  if (kind === 'move') {
    const { cursor } = settled(editor.text, target)
    return { editor: { ...editor, cursor, last: 'other', menu: undefined } }
  }
  if (kind === 'insert') return { editor: changed(editor, inserted(editor, '\n'), 'other') }
  return { editor: removed(editor, target, kind, site) }
}

function removed(
  editor: Editor,
  target: number,
  kind: 'remove' | 'kill',
  site: EditorSite,
): Editor {
  const [from, to] = [Math.min(editor.cursor, target), Math.max(editor.cursor, target)]
  const edited = without(editor, from, to)
  if (kind === 'remove') {
    const left = changed(editor, edited, 'other')
    return editor.menu === undefined && !isCompleted(left) ? left : withMenu(left, site)
  }
  const gone = editor.text.slice(from, to)
  if (gone === '') return editor
  const isJoined = editor.last === 'kill'
  const isBefore = target < editor.cursor
  const killed = !isJoined ? gone : isBefore ? gone + editor.killed : editor.killed + gone
  return { ...changed(editor, edited, 'kill'), killed }
}

/** Whether the text is a command or a mention, which have a menu. */
function isCompleted({ text, cursor }: Edited): boolean {
  return /(?:^\/\S*|(?:^|\s)@\S*)$/.test(text.slice(lineStart(text, cursor), cursor))
}

function undone(editor: Editor): Editor {
  const last = editor.undo.at(-1)
  if (last === undefined) return editor
  const { text, cursor } = last
  const undo = editor.undo.slice(0, -1)
  return { ...editor, text, cursor, undo, last: 'other', menu: undefined, shown: undefined }
}

/** Moves a row up or down, and beyond the first or last row through the history. */
function vertical(editor: Editor, step: -1 | 1, site: EditorSite): Editor {
  const cursor = moveRow(editor, step, site.columns)
  if (cursor !== undefined) return { ...editor, cursor, last: 'other', menu: undefined }
  const { history } = site
  const { shown = history.length } = editor
  const next = shown + step
  if (next < 0 || next > history.length) return edge(editor, step)
  const draft = editor.shown === undefined ? editor.text : editor.draft
  const text = next === history.length ? draft : (history[next] as string)
  const isBack = next === history.length
  return { ...withText(editor, text), draft, shown: isBack ? undefined : next, last: 'other' }
}

function edge(editor: Editor, step: -1 | 1): Editor {
  const { text, cursor } = editor
  const at = step < 0 ? lineStart(text, cursor) : lineEnd(text, cursor)
  return { ...editor, cursor: at, last: 'other' }
}

/**
 * What a key does between the cursor and another offset: move there, delete, or kill (delete so that it can be yanked).
 */
interface EditKey {
  readonly kind: 'move' | 'remove' | 'kill' | 'insert'
  to(edited: Edited): number
}

type Target = EditKey['to']

const left: Target = ({ text, cursor }) => before(text, cursor)
const right: Target = ({ text, cursor }) => after(text, cursor)
const start: Target = ({ text, cursor }) => lineStart(text, cursor)
const end: Target = ({ text, cursor }) => lineEnd(text, cursor)
const wordLeft: Target = ({ text, cursor }) => wordBefore(text, cursor)
const wordRight: Target = ({ text, cursor }) => wordAfter(text, cursor)
const here: Target = ({ cursor }) => cursor

/** To the start of the line, or over the line break before it. */
const startOrLineBefore: Target = (edited) =>
  start(edited) === edited.cursor ? left(edited) : start(edited)

/** To the end of the line, or over the line break. */
const endOrLineAfter: Target = (edited) =>
  end(edited) === edited.cursor ? right(edited) : end(edited)

function keys(names: string, kind: EditKey['kind'], to: Target): readonly [string, EditKey][] {
  return names.split(' ').map((name) => [name, { kind, to }])
}

/** The editing keys of Emacs and Bash, and of other editors. */
const editKeys: Readonly<Record<string, EditKey>> = Object.fromEntries([
  ...keys('left ctrl+b', 'move', left),
  ...keys('right ctrl+f', 'move', right),
  ...keys('home ctrl+a', 'move', start),
  ...keys('end ctrl+e', 'move', end),
  ...keys('alt+b ctrl+left alt+left', 'move', wordLeft),
  ...keys('alt+f ctrl+right alt+right', 'move', wordRight),
  ...keys('ctrl+home alt+<', 'move', () => 0),
  ...keys('ctrl+end alt+>', 'move', ({ text }) => text.length),
  ...keys('backspace shift+backspace', 'remove', left),
  ...keys('delete ctrl+d', 'remove', right),
  ...keys('ctrl+w alt+backspace ctrl+backspace', 'kill', wordLeft),
  ...keys('alt+d ctrl+delete', 'kill', wordRight),
  ...keys('ctrl+u', 'kill', startOrLineBefore),
  ...keys('ctrl+k', 'kill', endOrLineAfter),
  ...keys('alt+enter shift+enter ctrl+enter ctrl+j', 'insert', here),
])

/** A search that starts with the current text. */
function searchFrom({ text, cursor }: Edited): HistorySearch {
  return { query: '', found: undefined, before: { text, cursor } }
}

/** Applies a key during a history search. */
function pressInSearch(
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

/** The found input replaces the line. */
function taken(editor: Editor, before: Edited): Editor {
  const { text } = editor
  return withText({ ...editor, ...before, search: undefined }, text)
}

function matches(text: string, query: string): boolean {
  const isExact = /\p{Lu}/u.test(query)
  return isExact ? text.includes(query) : text.toLowerCase().includes(query.toLowerCase())
}
