import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countColumns } from '../render/text.ts'
import { press } from './editor.ts'
import { type Editor, type EditorSite, emptyEditor, type Pressed } from './editor-state.ts'
import { type Key, KeyDecoder } from './keys.ts'
import { layoutEditor } from './layout-editor.ts'
import { choicesFor } from './terminal-session.ts'

const commands = ['/clear', '/compact', '/cost', '/exit', '/demo:Big_one'].map((text) => ({
  text,
  note: 'does it',
}))
const files = ['src/', 'src/sum.ts', 'src/sum.test.ts', 'README.md']

function siteWith(history: readonly string[] = [], columns = 40): EditorSite {
  const paths = (typed: string) => files.filter((path) => path.startsWith(typed))
  return {
    history,
    columns,
    choices: (edited) => choicesFor(edited, { commands: () => commands, paths }),
  }
}

/** The editor after what a terminal sends, and what was asked last. */
function typed(sent: string, site = siteWith(), from: Editor = emptyEditor): Pressed {
  const decoder = new KeyDecoder()
  const keys = [...decoder.take(sent), ...decoder.flush()]
  return keys.reduce<Pressed>((pressed, key) => press(pressed.editor, key, site), { editor: from })
}

/** The text with `|` where the cursor is. */
function seen({ editor: { text, cursor } }: Pressed): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`
}

const [left, right, up, down] = ['\u001b[D', '\u001b[C', '\u001b[A', '\u001b[B']
const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96)
const alt = (letter: string) => `\u001b${letter}`

describe('the line editor', () => {
  it('moves by characters, words and lines', () => {
    expect(seen(typed(`one two${alt('b')}`))).toBe('one |two')
    expect(seen(typed(`one two${ctrl('a')}${alt('f')}`))).toBe('one| two')
    expect(seen(typed(`one two${ctrl('a')}${right}${right}${ctrl('e')}${left}`))).toBe('one tw|o')
    expect(seen(typed(`a${ctrl('j')}bc${ctrl('a')}`))).toBe('a\n|bc')
    expect(seen(typed(`abc${ctrl('j')}d${up}`))).toBe('a|bc\nd')
    expect(seen(typed(`abc${ctrl('j')}d${up}${up}x${down}`))).toBe('xabc\nd|')
  })

  it('takes a character as a person sees it', () => {
    const family = '👩‍👩‍👧'
    expect(seen(typed(`a${family}${left}`))).toBe(`a|${family}`)
    expect(seen(typed(`a${family}e\u0301\u007f\u007f`))).toBe('a|')
    // What is put in joins the character behind the cursor.
    expect(seen(typed(`\u0301${ctrl('a')}e`))).toBe('e\u0301|')
  })

  it('takes words and lines out and puts them back', () => {
    expect(seen(typed(`one two${ctrl('w')}`))).toBe('one |')
    expect(seen(typed(`one two${ctrl('w')}${ctrl('w')}${ctrl('y')}${ctrl('y')}`))).toBe(
      'one twoone two|',
    )
    expect(seen(typed(`one two${alt('b')}${ctrl('k')}${ctrl('a')}${ctrl('y')}`))).toBe('two|one ')
    expect(seen(typed(`one two${alt('b')}${ctrl('u')}`))).toBe('|two')
    expect(seen(typed(`one two${ctrl('a')}${alt('d')}`))).toBe('| two')
  })

  it('undoes a word, a kill and a cleared line', () => {
    const undo = '\u001f'
    expect(seen(typed(`one${ctrl('w')}${undo}`))).toBe('one|')
    const pasted = '\u001b[200~x\ny\u001b[201~'
    expect(seen(typed(`one ${pasted}${undo}`))).toBe('one |')
    expect(seen(typed(`one${ctrl('c')}${undo}`))).toBe('one|')
    expect(seen(typed(undo))).toBe('|')
  })

  it('sends with Enter, and begins a line with Alt+Enter, a paste or a backslash', () => {
    expect(typed('hello\r').action).toEqual({ type: 'submit', text: 'hello' })
    expect(typed('hello\r').editor.text).toBe('')
    expect(seen(typed('a\\\rb\u001b\rc'))).toBe('a\nb\nc|')
    expect(typed('\u001b[200~a\r\nb\n\u001b[201~').action).toBeUndefined()
    expect(typed('a\u001b[200~b\r\nc\u001b[201~\r').action).toEqual({
      type: 'submit',
      text: 'ab\nc',
    })
    expect(typed('  \r').action).toBeUndefined()
  })

  it('puts nothing in that could steer a terminal', () => {
    expect(typed('\u001b[200~a\u001b[2Jb\u0007\u009b31mc\u001b[201~').editor.text).toBe('abc')
  })

  it('shows earlier inputs, and gives back what was being typed', () => {
    const site = siteWith(['first', 'two\nlines'])
    expect(seen(typed(`draft${up}`, site))).toBe('two\nlines|')
    expect(seen(typed(`draft${up}${up}${up}`, site))).toBe('first|')
    expect(seen(typed(`draft${up}${up}${up}${down}${down}`, site))).toBe('draft|')
  })

  it('searches earlier inputs', () => {
    const site = siteWith(['fix the test', 'other', 'fix the build'])
    expect(seen(typed(`${ctrl('r')}FIX`, site))).toBe('|')
    expect(seen(typed(`${ctrl('r')}fix`, site))).toBe('fix the build|')
    expect(seen(typed(`${ctrl('r')}fix${ctrl('r')}`, site))).toBe('fix the test|')
    expect(typed(`${ctrl('r')}fix\r`, site).action).toBeUndefined()
    expect(typed(`${ctrl('r')}fix\r\r`, site).action).toEqual({
      type: 'submit',
      text: 'fix the build',
    })
    expect(seen(typed(`draft${ctrl('r')}fix\u001b`, site))).toBe('draft|')
    expect(typed(`${ctrl('r')}zzz`, site).editor.search?.found).toBeUndefined()
  })

  it('lists commands while one is typed, and takes the one that is chosen', () => {
    expect(typed('/').editor.menu?.items.map(({ text }) => text)).toEqual([
      '/clear',
      '/compact',
      '/cost',
      '/exit',
      '/demo:Big_one',
    ])
    expect(seen(typed('/demo:b\t'))).toBe('/demo:Big_one |')
    expect(typed('/co').editor.menu?.items).toHaveLength(2)
    expect(seen(typed(`/co${down}\t`))).toBe('/cost |')
    expect(typed(`/co${down}\r`).action).toBeUndefined()
    expect(typed('/cl\r').action).toEqual({ type: 'submit', text: '/cl' })
    expect(typed('see /c').editor.menu).toBeUndefined()
    expect(typed('/c\u001b').editor).toMatchObject({ text: '/c', menu: undefined })
  })

  it('completes files behind an @, folder by folder', () => {
    expect(seen(typed('see @s\t'))).toBe('see @src/|')
    expect(seen(typed(`see @s\t${down}\t`))).toBe('see @src/sum.ts |')
    expect(seen(typed('see @REA\r'))).toBe('see @README.md |')
    expect(typed('see @README.md\r').action).toMatchObject({ type: 'submit' })
    expect(typed('me@s').editor.menu).toBeUndefined()
  })

  it('leaves with Ctrl-D only where nothing stands', () => {
    expect(typed('\u0004').action).toEqual({ type: 'leave' })
    expect(typed(`ab${left}\u0004`)).toMatchObject({ editor: { text: 'a' } })
    expect(typed(`ab${left}\u0004`).action).toBeUndefined()
  })
})

const anyKey: fc.Arbitrary<Key> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 5 }).map((text) => ({ type: 'text', text }) as const),
  fc.string({ unit: 'binary', maxLength: 9 }).map((text) => ({ type: 'paste', text }) as const),
  fc
    .constantFrom(
      ...'enter tab escape backspace delete left right up down home end alt+b alt+f alt+d alt+enter ctrl+left ctrl+right alt+backspace'.split(
        ' ',
      ),
      ...[...'abcdefghjklnopruwyz_'].map((letter) => `ctrl+${letter}`),
    )
    .map((name) => ({ type: 'key', name }) as const),
  fc
    .constantFrom('/', '@', '\\', '漢字', '👩‍👩‍👧', 'e\u0301', '\u200d', '\ufe0f', '🇩🇪')
    .map((text) => ({ type: 'text', text }) as const),
)

describe('any keys', () => {
  it('keep the cursor in the text and each row in its columns', () => {
    fc.assert(
      fc.property(
        fc.array(anyKey, { maxLength: 40 }),
        fc.integer({ min: 4, max: 30 }),
        (keys, columns) => {
          const site = siteWith(['an earlier one', 'two\nlines 漢字'], columns)
          let { editor }: Pressed = { editor: emptyEditor }
          for (const key of keys) {
            ;({ editor } = press(editor, key, site))
            const { text, cursor, menu } = editor
            expect(cursor).toBeGreaterThanOrEqual(0)
            expect(cursor).toBeLessThanOrEqual(text.length)
            expect(
              /[\ud800-\udbff]$/.test(text.slice(0, cursor)) &&
                /^[\udc00-\udfff]/.test(text.slice(cursor)),
            ).toBe(false)
            const { rows, row, column } = layoutEditor(editor, columns)
            expect(Math.max(...rows.map((one) => countColumns(one.text)))).toBeLessThanOrEqual(
              columns,
            )
            expect(rows[row]).toBeDefined()
            expect(column).toBeLessThanOrEqual(columns)
            expect(menu === undefined || menu.selected < menu.items.length).toBe(true)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('can be undone to the beginning', () => {
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 20 }), (keys) => {
        const site = siteWith()
        let editor: Editor = emptyEditor
        for (const key of keys) {
          const pressed = press(editor, key, site)
          // What is sent is gone.
          editor = pressed.action?.type === 'submit' ? emptyEditor : pressed.editor
        }
        const leave: Key = { type: 'key', name: 'escape' }
        if (editor.search !== undefined) editor = press(editor, leave, site).editor
        for (let count = 0; count < 40; count++)
          editor = press(editor, { type: 'key', name: 'ctrl+_' }, site).editor
        expect(editor.text).toBe('')
      }),
    )
  })
})
