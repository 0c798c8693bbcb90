import type { parseSlash } from '../../app.ts'
import type { SessionWork } from './session-work.ts'
import { noModelBlock } from './start-screen.ts'
import type { TerminalSession } from './terminal-session.ts'

/** What typed lines are passed to. */
export interface Submitting {
  readonly work: SessionWork
  readonly session: Pick<TerminalSession, 'remember' | 'leave'>
  readonly parseSlash: typeof parseSlash
  readonly slashHelp: () => string
  /** Whether there is a model that can work on a request. */
  hasModel(): boolean
}

/** Commands that only show something: they run at once, even during a turn. */
const looks: readonly string[] = ['cost', 'limits', 'tools', 'dump', 'mcp']
/** Commands that need a session with at least one request. */
const looksBack: readonly string[] = ['cost', 'dump', 'undo', 'fork', 'export', 'clear', 'compact']

/** Passes a typed line on: to a command of the session, to the shell, or as a request. */
export function submitter(submitting: Submitting): (text: string) => void {
  const { work, session } = submitting
  return (text) => {
    session.remember(text)
    const line = text.trim()
    if (line === 'exit' || line === 'quit') return session.leave()
    if (line.startsWith('/') && submitSlash(submitting, line)) return
    const command = /^!\s*(\S.*)$/s.exec(line)?.[1]
    if (command !== undefined) void work.send(text, { kind: 'command', command })
    else if (line === '!')
      work.tell({ kind: 'told', text: 'Write a command behind the !, as in !git status.' })
    else if (submitting.hasModel()) void work.send(text, { kind: 'prompt', text })
    else work.tell(noModelBlock)
  }
}

/** Runs a line if it is a command of the session; returns whether it is. */
function submitSlash({ work, session, parseSlash, slashHelp }: Submitting, line: string): boolean {
  const slash = parseSlash(line)
  if (slash === undefined) return false
  const name = slash.kind === 'command' ? slash.name : ''
  if (name === 'exit') {
    session.leave()
  } else if (name === 'help') {
    work.tell({ kind: 'told', text: `${slashHelp()}\n\n${keysHelp}` })
  } else if (work.runId === undefined && looksBack.includes(name)) {
    work.tell({ kind: 'told', text: 'Nothing has been done in this session yet.' })
  } else if (work.isBusy && looks.includes(name)) {
    void work.look(line, line)
  } else {
    void work.send(line, { kind: 'slash', line })
  }
  return true
}

const keysHelp = `Keys: enter sends · alt+enter or a trailing \\ starts a new line · tab completes · up, down and ctrl+r recall earlier input
ctrl+a, ctrl+e, alt+b, alt+f move · ctrl+w, ctrl+u, ctrl+k delete, ctrl+y pastes back, ctrl+_ undoes
esc stops the turn or clears the line · ctrl+o shows hidden output · ctrl+l redraws · ctrl+z suspends · ctrl+d exits`
