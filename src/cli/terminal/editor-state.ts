import type { Edited } from './edit-text.ts'

/** One thing that can stand where the person types. */
export interface Choice {
  /** What is put in for it. */
  readonly text: string
  /** What is said of it beside it. */
  readonly note: string
}

/** What fits what was typed so far, in place of the text from `from` to the cursor. */
export interface Choices {
  readonly from: number
  readonly items: readonly Choice[]
  /** Whether Enter takes the first item, and does not send what was typed. */
  readonly takesEnter: boolean
}

/** A menu below the line; `selected` is the item that Tab takes. */
export interface Menu extends Choices {
  readonly selected: number
  /** Whether the person has moved in it, so that Enter takes the item too. */
  readonly isChosen: boolean
}

/** A search for an earlier input. */
export interface HistorySearch {
  readonly query: string
  /** Which earlier input was found; `undefined` for none. */
  readonly found: number | undefined
  /** What stood there before the search. */
  readonly before: Edited
}

/** The line editor: what was typed, and what it takes to go on. Nothing in it is ever changed. */
export interface Editor extends Edited {
  readonly killed: string
  readonly undo: readonly Edited[]
  /** What the last key did: runs of the same are undone at once, and kills are joined. */
  readonly last: 'insert' | 'kill' | 'other'
  /** Which earlier input is shown, counted from the oldest; `undefined` for none. */
  readonly shown: number | undefined
  /** What was being typed when the first earlier input was shown. */
  readonly draft: string
  readonly search: HistorySearch | undefined
  readonly menu: Menu | undefined
}

/** What the editor knows of around it. */
export interface EditorSite {
  /** Earlier inputs, the oldest first. */
  readonly history: readonly string[]
  /** Columns for the text of a row. */
  readonly columns: number
  /** What fits what was typed before the cursor. */
  choices(edited: Edited): Choices | undefined
}

/** What a key asks of the session, beside what it changed. */
export type EditorAction =
  | { readonly type: 'submit'; readonly text: string }
  | { readonly type: 'escape' | 'interrupt' | 'leave' | 'redraw' | 'suspend' | 'expand' }

/** The editor after a key, and what the key asks for. */
export interface Pressed {
  readonly editor: Editor
  readonly action?: EditorAction
}

/** An editor in which nothing stands. */
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

/** The editor with another text, its cursor at the end, which can be undone. */
export function withText(editor: Editor, text: string): Editor {
  return changed(editor, { text, cursor: text.length }, 'other')
}

/** The editor emptied; what stood there can be put back by undo. */
export function cleared(editor: Editor): Editor {
  const { text, cursor } = emptyEditor
  return { ...changed(editor, { text, cursor }, 'other'), shown: undefined, draft: '' }
}

/** An editor whose text was changed: the one before can be had back. Letters of one word are undone together. */
export function changed(editor: Editor, edited: Edited, what: Editor['last']): Editor {
  const { text, cursor } = edited
  if (text === editor.text && cursor === editor.cursor) return editor
  const isSame = text === editor.text || (what === 'insert' && editor.last === 'insert')
  const { text: old, cursor: at, undo } = editor
  const kept = isSame ? undo : [...undo.slice(1 - maxUndo), { text: old, cursor: at }]
  return { ...editor, text, cursor, undo: kept, last: what, menu: undefined }
}
