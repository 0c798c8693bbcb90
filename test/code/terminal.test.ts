import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import type { ModelRequestSeen, ScriptedReply } from '../../src/testing/scripted-reply.ts'
import { hasTmux, TerminalScreen } from './terminal-screen.ts'

const sum = 'exports.sum = (a, b) => a - b\n'
const fixed = 'exports.sum = (a, b) => a + b\n'
const sumTest = `const { sum } = require('./sum.js')
if (sum(1, 2) !== 3) throw new Error('sum(1, 2) is ' + sum(1, 2))
console.log('1 test passed')
`

/** The last thing that the person asked, and how many results followed it. */
function asked({ body }: ModelRequestSeen): { readonly request: string; readonly results: number } {
  const messages = body.messages as { role: string; content?: unknown }[]
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const results = messages.slice(at).filter(({ role }) => role === 'tool').length
  return { request: JSON.stringify(messages[at]?.content), results }
}

const call = (name: string, input: object): ScriptedReply => {
  return { toolCalls: [{ name, input: input as never }] }
}

const hostile = 'Fine.\u001b[2J\u001b]2;evil title\u0007 **Bold** text.'
const waiting = 'seq 101 109; sleep 60'
const lastPrinted = /sleep 60\n {4}105\n {4}106\n {4}107\n {4}108\n {4}109\n {2}Running,/
const longAnswer = Array.from(
  { length: 50 },
  (_, index) => `${index + 1}. 漢字 and words, so many of them that they have to be wrapped.`,
)

function say(seen: ModelRequestSeen): ScriptedReply {
  const { request, results } = asked(seen)
  if (request.includes('fix')) {
    const edit = (text: string) => call('edit', { path: 'sum.js', old: 'a - b', new: text })
    const steps = [
      call('read', { path: 'sum.js' }),
      edit('a - -b'),
      edit('a + b'),
      call('bash', { command: 'node sum.test.js' }),
    ]
    return steps[results] ?? { text: 'It is fixed: `sum` adds now.', chunkDelayMs: 5 }
  }
  if (request.includes('again'))
    return results === 0 ? call('bash', { command: 'node sum.test.js' }) : { text: 'Still passes.' }
  if (request.includes('wait'))
    return results === 0 ? call('bash', { command: waiting }) : { text: 'Waited.' }
  if (request.includes('long')) return { text: longAnswer.join('\n'), chunkDelayMs: 5 }
  return { text: hostile }
}

let model: ScriptedModel
let screen: TerminalScreen

async function open(columns: number, rows = 40): Promise<void> {
  screen = new TerminalScreen(columns, rows, { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none' })
  writeFileSync(join(screen.workspace, 'sum.js'), sum)
  writeFileSync(join(screen.workspace, 'sum.test.js'), sumTest)
  await screen.until('$')
}

/** A screen as it is between two requests: one prompt, the cursor in it, the line below it the last. */
function expectWhole(rows: readonly string[]): void {
  expect(rows.filter((row) => row === '>')).toHaveLength(1)
  expect(rows.at(-2)).toBe('>')
  expect(rows.at(-1)).toMatch(/^ {2}openai:scripted/)
  expect([screen.value('cursor_x'), screen.value('cursor_y')]).toEqual(['2', `${rows.length - 2}`])
  expect(screen.value('cursor_flag')).toBe('1')
  expect(rows.join('\n')).not.toMatch(/\[\d+[A-Zm]|\ufffd/)
}

/** Nothing is worked on. */
const idle = /^(?![\s\S]*esc to stop)[\s\S]*\n>\n {2}openai:scripted[^\n]*$/

describe.skipIf(!hasTmux())('a session at the terminal (needs tmux)', () => {
  beforeEach(async () => {
    model = await startScriptedModel(say)
  })
  afterEach(async () => {
    screen.close()
    await model.close()
  })

  it.each([60, 200])(
    'is held by keys at %i columns: a refused edit, a cancelled tool, a resume',
    async (columns) => {
      await open(columns)
      screen.scholium('code --model openai:scripted')
      expectWhole(await screen.until(idle))
      screen.enter('fix the failing test')
      await screen.until(/a - -b[\s\S]*y yes/)
      await pause()
      screen.press('n')
      await screen.until('What should it do instead?')
      screen.enter('use a plus')
      await screen.until(/a \+ b[\s\S]*y yes/)
      expect(readFileSync(join(screen.workspace, 'sum.js'), 'utf8')).toBe(sum)
      expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('use a plus')
      await pause()
      screen.press('y')
      await screen.until(/\$ node sum\.test\.js[\s\S]*y yes/)
      expect(readFileSync(join(screen.workspace, 'sum.js'), 'utf8')).toBe(fixed)
      await pause()
      screen.press('a')
      await screen.until('It is fixed: sum adds now.')
      expectWhole(await screen.until(idle))
      const seen = screen.history()
      expect(seen).toMatch(/– edit sum\.js +not done/)
      expect(seen).toMatch(/✓ bash node sum\.test\.js +exit code 0[\s\S]* 1 test passed/)

      screen.enter('run it again')
      await screen.until('Still passes.')
      expectWhole(await screen.until(idle))

      screen.enter('wait for it')
      await screen.until(/sleep 60[\s\S]*y yes/)
      await pause()
      screen.press('y')
      await screen.until(lastPrinted)
      screen.press('Escape')
      await screen.until('Stopped. What was done so far stays.')
      expectWhole(await screen.until(idle))
      expect(screen.history()).toMatch(/– bash seq 101 109; sleep 60 +stopped/)

      screen.press('C-c')
      await screen.until('Press Ctrl-C again to exit.')
      screen.press('C-c')
      const left = await screen.until(/--resume \S+\n\$$/)
      expect(screen.isCooked()).toBe(true)
      const [, runId = ''] = /--resume (\S+)/.exec(left.join('\n')) ?? []
      screen.scholium(`code --resume ${runId}`)
      const resumed = await screen.until(idle)
      expectWhole(resumed)
      expect(resumed.join('\n')).toMatch(
        /> fix the failing test[\s\S]*It is fixed[\s\S]*It was stopped\./,
      )
      screen.enter('hello')
      await screen.until('Fine. Bold text.')
      expectWhole(await screen.until(idle))
      expect(screen.value('pane_title')).not.toContain('evil')
      const { messages = [] } = { ...model.requests.at(-1)?.body } as {
        messages?: { role: string }[]
      }
      expect(messages.filter(({ role }) => role === 'user')).toHaveLength(4)
    },
  )

  it('wraps anew when the window changes, also while an answer is written', async () => {
    await open(100, 30)
    screen.scholium('code --model openai:scripted')
    await screen.until(idle)
    screen.enter('a long answer')
    await screen.until('5. 漢字')
    screen.resize(60, 24)
    await screen.until(/\n50\. 漢字[\s\S]*\n>\n/)
    for (const [columns, rows] of [
      [60, 24],
      [140, 40],
      [45, 12],
    ] as const) {
      screen.resize(columns, rows)
      await new Promise((resolve) => setTimeout(resolve, 400))
      const drawn = screen.rows()
      expectWhole(drawn)
      const text = drawn.slice(0, -3).join(' ').replaceAll(/\s+/g, ' ')
      expect(text).toContain('50. 漢字 and words, so many of them that they have to be wrapped.')
    }
  })

  it('leaves what stood on the screen before it, when the window changes', async () => {
    await open(100, 30)
    screen.scholium('code --model openai:scripted', 'clear; echo from before')
    await screen.until(idle)
    screen.enter('hello')
    await screen.until('Fine. Bold text.')
    await screen.until(idle)
    for (const [columns, rows] of [
      [120, 40],
      [70, 40],
      [50, 40],
    ] as const) {
      screen.resize(columns, rows)
      await new Promise((resolve) => setTimeout(resolve, 400))
      const drawn = screen.rows()
      expectWhole(drawn)
      // What a narrower window pushed out of sight is in the history.
      const all = screen.history().split('\n')
      expect(all.filter((row) => row.trimEnd() === 'from before')).toHaveLength(1)
      for (const one of [/^Scholium /, /^> hello$/])
        expect(drawn.filter((row) => one.test(row))).toHaveLength(1)
    }
  })

  it('takes what is pasted as text, completes, and remembers what was typed', async () => {
    await open(80)
    screen.scholium('code --model openai:scripted')
    await screen.until(idle)
    screen.paste('two\nlines \u001b[31mred\u001b[0m')
    await screen.until('> two\n  lines red')
    screen.press('C-c')
    await screen.until(/\n>\n/)
    screen.type('see @sum.t')
    await screen.until('› @sum.test.js')
    screen.press('Tab', 'Enter')
    await screen.until('> see @sum.test.js')
    await screen.until(idle)
    screen.type('/co')
    await screen.until(/› \/compact[\s\S]*\/cost/)
    screen.press('C-c')
    screen.enter('!echo from the $((40 + 2))')
    await screen.until('from the 42')
    await screen.until(idle)
    screen.press('C-d')
    await screen.until(/--resume/)
    screen.scholium('code --model openai:scripted')
    await screen.until(idle)
    screen.press('Up', 'Up')
    await screen.until('> see @sum.test.js')
    screen.press('C-r')
    screen.type('echo')
    await screen.until('search: echo')
    screen.press('Enter')
    await screen.until('> !echo from the')
  })

  it('leaves the terminal as it was: stopped, ended from outside, or crashed', async () => {
    await open(80)
    screen.scholium('code --model openai:scripted')
    await screen.until(idle)
    expect(screen.isCooked()).toBe(false)
    screen.press('C-z')
    await screen.until(/Stopped|Suspended|\n\$$/)
    expect(screen.isCooked()).toBe(true)
    screen.enter('fg')
    await screen.until(idle)
    expect(screen.isCooked()).toBe(false)
    const shell = screen.value('pane_pid')
    const pid = execFileSync('pgrep', ['-P', shell], { encoding: 'utf8' }).trim()
    process.kill(Number(pid), 'SIGTERM')
    await screen.until(/\n\$$/)
    screen.enter('echo "ended with $?"')
    await screen.until('ended with 143')
    expect([screen.isCooked(), screen.value('cursor_flag')]).toEqual([true, '1'])

    const sign = join(screen.folder, 'crash')
    writeFileSync(
      join(screen.folder, 'crash.mjs'),
      `import { existsSync } from 'node:fs'
       setInterval(() => { if (existsSync('${sign}')) throw new Error('a crash') }, 50)`,
    )
    screen.enter(`export NODE_OPTIONS=--import=${join(screen.folder, 'crash.mjs')}`)
    screen.scholium('code --model openai:scripted')
    await screen.until(idle)
    writeFileSync(sign, '')
    await screen.until(/Error: a crash[\s\S]*\n\$$/)
    expect([screen.isCooked(), screen.value('cursor_flag')]).toEqual([true, '1'])
  })

  it('says where no session can be held what to do instead', async () => {
    await open(100)
    screen.scholium('code </dev/null')
    await screen.until('No task was given.')
    screen.scholium('code | cat')
    await screen.until(/There is no terminal[\s\S]*scholium code -p/)
    screen.enter('export TERM=dumb')
    screen.scholium('code')
    await screen.until(/TERM=dumb[\s\S]*scholium code -p/)
  })

  it('says plainly that the built-in engine cannot code', async () => {
    await open(100)
    screen.scholium('code')
    await screen.until(/cannot work on code\. Choose a model: scholium\s+code\s+--model/)
    screen.enter('hello')
    await screen.until(/cannot work on code[\s\S]*cannot work on code/)
    expect(model.requests).toHaveLength(0)
  })
})

/** A person reads before answering; a letter typed too soon is text. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
}
