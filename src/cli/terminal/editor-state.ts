import type { Edited } from './edit-text.ts'

/** A completion. */
export interface Choice {
  /** The text to insert. */
  readonly text: string
  /** A description shown next to it. */
  readonly note: string
}

/** Completions of the text from `from` to the cursor. */
export interface Choices {
  readonly from: number
  readonly items: readonly Choice[]
  /** Whether Enter takes the first item instead of sending the line. */
  readonly takesEnter: boolean
}

/** A menu below the line; Tab takes the `selected` item. */
export interface Menu extends Choices {
  readonly selected: number
  /** Whether the person has moved the selection, so that Enter takes the item too. */
  readonly isChosen: boolean
}

/** A search in the input history. */
export interface HistorySearch {
  readonly query: string
  /** The index of the input found; `undefined` for none. */
  readonly found: number | undefined
  /** The line before the search. */
  readonly before: Edited
}

/** The line editor's state; immutable. */
export interface Editor extends Edited {
  readonly killed: string
  readonly undo: readonly Edited[]
  /** The kind of the last key: a series of the same kind is undone together, and kills are joined. */
  readonly last: 'insert' | 'kill' | 'other'
  /** The index of the shown history input, counted from the oldest; `undefined` for none. */
  readonly shown: number | undefined
  /** The line as it was before a history input was shown. */
  readonly draft: string
  readonly search: HistorySearch | undefined
  readonly menu: Menu | undefined
}

/** The editor's surroundings. */
export interface EditorSite {
  /** Earlier inputs, oldest first. */
  readonly history: readonly string[]
  /** Width of a row of text, in columns. */
  readonly columns: number
  /** Completions of the text before the cursor. */
  choices(edited: Edited): Choices | undefined
}

/** What a key asks of the session, in addition to its change. */
export type EditorAction =
  | { readonly type: 'submit'; readonly text: string }
  | { readonly type: 'escape' | 'interrupt' | 'leave' | 'redraw' | 'suspend' | 'expand' }

/** The editor after a key, and what the key asks of the session. */
export interface Pressed {
  readonly editor: Editor
  readonly action?: EditorAction
}

/** An empty editor. */
export const emptyEditor: Editor = {
  text: '',
  cursor: 0,
  killed: '',
  undo: [],
  last: 'other',
  shown: undefined,
  draft: '',
  search: undefined,
  menu: undefined,
}

const maxUndo = 200

/** The editor with another text and the cursor at its end; can be undone. */
export function withText(editor: Editor, text: string): Editor {
  return changed(editor, { text, cursor: text.length }, 'other')
}

/** The emptied editor; undo restores its text. */
export function cleared(editor: Editor): Editor {
  const { text, cursor } = emptyEditor
  return { ...changed(editor, { text, cursor }, 'other'), shown: undefined, draft: '' }
}

/** The editor after a change, which can be undone. The letters of a word are undone together. */
export function changed(editor: Editor, edited: Edited, what: Editor['last']): Editor {
  const { text, cursor } = edited
  if (text === editor.text && cursor === editor.cursor) return editor
  const isSame = text === editor.text || (what === 'insert' && editor.last === 'insert')
  const { text: old, cursor: at, undo } = editor
  const kept = isSame ? undo : [...undo.slice(1 - maxUndo), { text: old, cursor: at }]
  return { ...editor, text, cursor, undo: kept, last: what, menu: undefined }
}
