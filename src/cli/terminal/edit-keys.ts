import {
  after,
  before,
  type Edited,
  lineEnd,
  lineStart,
  wordAfter,
  wordBefore,
} from './edit-text.ts'

/** What a key does from the cursor to another offset: go there, take out what is between, or take it out to be put back. */
export interface EditKey {
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

/** To the beginning of the line, or at it over the line end before. */
const startOrLineBefore: Target = (edited) =>
  start(edited) === edited.cursor ? left(edited) : start(edited)

/** To the end of the line, or at it over the line end. */
const endOrLineAfter: Target = (edited) =>
  end(edited) === edited.cursor ? right(edited) : end(edited)

function keys(names: string, kind: EditKey['kind'], to: Target): readonly [string, EditKey][] {
  return names.split(' ').map((name) => [name, { kind, to }])
}

/** What the keys of the line editor do: those of Emacs and Bash, and those of other editors. */
export const editKeys: Readonly<Record<string, EditKey>> = Object.fromEntries([
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
