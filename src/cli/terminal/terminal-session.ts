import type { PermissionAnswer } from '../../app.ts'
import type { Paint } from '../render/paint.ts'
import type { Block } from './blocks.ts'
import { type Edited, lineStart } from './edit-text.ts'
import { press } from './editor.ts'
import {
  type Choice,
  type Choices,
  cleared,
  type Editor,
  type EditorAction,
  type EditorSite,
  emptyEditor,
  withText,
} from './editor-state.ts'
import type { InputHistory } from './input-history.ts'
import type { Key } from './keys.ts'
import { answerOfLetter } from './permission-panel.ts'
import type { Region } from './screen-region.ts'
import { inputColumns, sessionFrame } from './session-frame.ts'
import type { SessionScreen } from './session-screen.ts'
import { firstView } from './session-view.ts'
import type { SessionWork } from './session-work.ts'
import type { WorkspacePaths } from './workspace-paths.ts'

/** What the terminal works with once the app is loaded. */
export interface ConnectedParts {
  readonly work: SessionWork
  readonly history: InputHistory
  readonly paths: WorkspacePaths
  /** What a request can begin with, such as `/help`. */
  commands(): readonly Choice[]
  /** Facts for the line below, such as the model. */
  facts(): readonly string[]
  /** Handles a typed line. */
  submit(text: string): void
}

/** What the terminal needs from its owner. */
export interface SessionHost {
  readonly paint: Paint
  /** Milliseconds of any clock. */
  now(): number
  suspend(): void
  /** The person leaves. */
  leave(): void
}

/** A second Ctrl-C within this time leaves. */
const twiceMs = 2_000
const spinMs = 100
/** A letter answers a question if nothing is typed within this time; otherwise it begins a sentence. */
const letterMs = 250

/**
 * The terminal of a session: keys in, lines out. Input works before the app is loaded; what is sent then waits for it.
 */
export class TerminalSession {
  readonly screen: SessionScreen
  private readonly host: SessionHost
  private parts: ConnectedParts | undefined
  private readonly early: string[] = []
  private editor: Editor = emptyEditor
  private hint = ''
  private interruptedAtMs = Number.NEGATIVE_INFINITY
  private spinner: NodeJS.Timeout | undefined
  /** The line as it was before the person was asked for a note. */
  private draft = ''
  private letter: { readonly text: string; readonly timer: NodeJS.Timeout } | undefined

  /** @param makeScreen creates the screen that draws this session */
  constructor(
    host: SessionHost,
    makeScreen: (frameOf: (columns: number, rows: number) => Region) => SessionScreen,
  ) {
    this.host = host
    this.screen = makeScreen((columns, rows) => this.frame(columns, rows))
  }

  /** Continues with the app loaded. */
  connect(parts: ConnectedParts): void {
    this.parts = parts
    for (const text of this.early.splice(0)) parts.submit(text)
    this.change()
  }

  /** Handles keys. */
  press(keys: readonly Key[]): void {
    for (const key of keys) this.pressOne(key)
    this.screen.draw()
  }

  /** Schedules a redraw, and turns the spinner during work. */
  change(): void {
    this.screen.change()
    const isBusy = this.parts?.work.isBusy === true
    if (isBusy) this.spinner ??= setInterval(() => this.screen.change(), spinMs)
    else this.stopSpinner()
  }

  /** Prints blocks for good. */
  add(blocks: readonly Block[]): void {
    this.screen.add(blocks)
  }

  /** Adds a line to the history. */
  remember(text: string): void {
    this.parts?.history.add(text)
  }

  /** The run of the session, once there is one. */
  get runId(): string | undefined {
    return this.parts?.work.runId
  }

  /** Leaves the session. */
  leave(): void {
    this.host.leave()
  }

  /** Stops drawing. */
  close(): void {
    this.stopSpinner()
    this.screen.close()
  }

  private stopSpinner(): void {
    clearInterval(this.spinner)
    this.spinner = undefined
  }

  private frame(columns: number, rows: number): Region {
    const { work } = this.parts ?? {}
    work?.drawn()
    return sessionFrame({
      view: work?.view ?? firstView,
      editor: this.editor,
      panel: work?.panel,
      queue: work?.queue ?? this.early,
      facts: this.parts?.facts() ?? ['starting …'],
      hint: this.hint,
      elapsedMs: work?.elapsedMs ?? 0,
      columns,
      rows,
      paint: this.host.paint,
    })
  }

  private pressOne(key: Key): void {
    this.hint = ''
    this.takeLetter()
    const { work } = this.parts ?? {}
    if (work?.panel !== undefined && this.answered(key)) return
    if (work !== undefined) work.typedAtMs = this.host.now()
    if (this.takesQueue(key)) return
    const hadText = this.editor.text !== ''
    const { editor, action } = press(this.editor, key, this.site)
    this.editor = editor
    if (action?.type === 'interrupt') this.interrupt(hadText)
    else if (action !== undefined) this.act(action)
  }

  private get site(): EditorSite {
    const { history, paths, commands = () => [] } = this.parts ?? {}
    return {
      history: history?.list ?? [],
      columns: inputColumns(this.screen.columns),
      choices: (edited) =>
        this.parts?.work.panel?.isNoting === true
          ? undefined
          : choicesFor(edited, {
              commands,
              paths: (typed, most) => paths?.matching(typed, most) ?? [],
            }),
    }
  }

  /** Handles a key as an answer to the pending question; returns whether it was one. */
  private answered(key: Key): boolean {
    const { work } = this.parts as ConnectedParts
    const { panel } = work
    if (panel === undefined) return false
    if (panel.isNoting) {
      if (key.type !== 'key' || key.name !== 'enter') return false
      const note = this.editor.text.trim()
      this.editor = withText(emptyEditor, this.draft)
      work.answer(note === '' ? { decision: 'no' } : { decision: 'no', note })
      return true
    }
    if (key.type !== 'text') return false
    const given = this.editor.text === '' ? answerOfLetter(panel, key.text) : undefined
    if (given === undefined) {
      work.hold()
      this.hint = 'A question is open: press y, a or n on an empty line.'
      return false
    }
    const isOpen = this.host.now() >= panel.opensAtMs
    const timer = setTimeout(() => (isOpen ? this.decide(given) : this.ignore()), letterMs)
    this.letter = { text: key.text, timer }
    return true
  }

  /** A letter that is followed by more text is no answer. */
  private takeLetter(): void {
    const { letter } = this
    this.letter = undefined
    if (letter === undefined) return
    clearTimeout(letter.timer)
    this.parts?.work.hold()
    const { editor } = press(this.editor, { type: 'text', text: letter.text }, this.site)
    this.editor = editor
  }

  /** A letter typed before the question was not an answer to it. */
  private ignore(): void {
    this.letter = undefined
    this.hint = 'That key came right after the question appeared: press it again to answer.'
    this.screen.draw()
  }

  private decide(given: PermissionAnswer | 'note'): void {
    this.letter = undefined
    const { work } = this.parts as ConnectedParts
    if (given === 'note') {
      this.draft = this.editor.text
      this.editor = { ...emptyEditor, killed: this.editor.killed }
      work.note()
    } else {
      work.answer(given)
    }
    this.screen.draw()
  }

  /** Up in an empty line takes back what waits for its turn. */
  private takesQueue(key: Key): boolean {
    const { work } = this.parts ?? {}
    const isAsked = key.type === 'key' && key.name === 'up' && this.editor.text === ''
    if (!isAsked || work === undefined || work.queue.length === 0) return false
    this.editor = withText(this.editor, work.takeQueue().join('\n'))
    return true
  }

  private act(action: EditorAction): void {
    if (action.type === 'submit') this.submit(action.text)
    else this.actions[action.type]()
  }

  private readonly actions: Readonly<Record<Exclude<EditorAction['type'], 'submit'>, () => void>> =
    {
      escape: () => this.escape(),
      interrupt: () => this.interrupt(false),
      leave: () => this.leave(),
      redraw: () => this.screen.repaint(true),
      suspend: () => this.host.suspend(),
      expand: () => {
        if (!this.screen.expand()) this.hint = 'Nothing is hidden.'
      },
    }

  private submit(text: string): void {
    if (this.parts === undefined) this.early.push(text)
    else this.parts.submit(text)
  }

  /** Stops the turn; otherwise clears the line. */
  private escape(): void {
    const { work } = this.parts ?? {}
    if (work?.isBusy !== true) {
      this.editor = cleared(this.editor)
      return
    }
    const waiting = work.takeQueue()
    if (waiting.length > 0)
      this.editor = withText(this.editor, [...waiting, this.editor.text].join('\n').trimEnd())
    if (work.panel?.isNoting === true) this.editor = withText(this.editor, this.draft)
    this.hint = 'Stopping …'
    void work.cancel().then((isStopped) => {
      this.hint = isStopped ? '' : 'This cannot be stopped; press Ctrl-C twice to exit.'
      this.change()
    })
  }

  /** Once: clears the line, or stops the turn. Twice: leaves. @param hasCleared whether there was something to clear */
  private interrupt(hasCleared: boolean): void {
    const now = this.host.now()
    if (!hasCleared && now - this.interruptedAtMs < twiceMs) {
      this.leave()
      return
    }
    this.interruptedAtMs = now
    if (this.parts?.work.isBusy === true) this.escape()
    this.hint = 'Press Ctrl-C again to exit.'
    const timer = setTimeout(() => {
      if (this.hint === 'Press Ctrl-C again to exit.') this.hint = ''
      this.screen.change()
    }, twiceMs)
    timer.unref()
  }
}

/** Sources of completions. */
interface Completed {
  /** What a request can begin with, such as `/help`. */
  commands(): readonly Choice[]
  /** Paths that match what was typed, the best first. */
  paths(typed: string, most: number): readonly string[]
}

const mostPaths = 30

/** Completions of the text before the cursor: commands at the beginning of the text, files after an `@`. */
export function choicesFor({ text, cursor }: Edited, completed: Completed): Choices | undefined {
  const before = text.slice(0, cursor)
  const command = /^\/([^\s/]*)$/.exec(before)
  if (command !== null) {
    const typed = (command[1] ?? '').toLowerCase()
    const items = completed
      .commands()
      .filter(({ text }) => text.toLowerCase().startsWith(`/${typed}`))
    return { from: 0, items, takesEnter: false }
  }
  const mention = /(?:^|[\s("'`])@([^\s"'`()<>]*)$/.exec(
    text.slice(lineStart(text, cursor), cursor),
  )
  if (mention === null) return undefined
  const typed = mention[1] ?? ''
  const paths = completed.paths(typed, mostPaths)
  const items = paths.map((path) => ({ text: `@${path}`, note: '' }))
  const isWhole = paths.includes(typed) || typed === ''
  return { from: cursor - typed.length - 1, items, takesEnter: !isWhole }
}
