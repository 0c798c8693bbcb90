import { describe, expect, it } from 'vitest'
import { parseSlash } from '../../app.ts'
import type { Block } from './blocks.ts'
import type { SessionWork } from './session-work.ts'
import { submitter } from './submit.ts'

/** What typed lines do. */
function typed(lines: readonly string[], given: { runId?: string; isBusy?: boolean } = {}) {
  const done: unknown[] = []
  const work = {
    runId: given.runId,
    isBusy: given.isBusy === true,
    send: async (_shown: string, sending: unknown) => void done.push(sending),
    look: async (_shown: string, line: string) => void done.push({ look: line }),
    tell: (block: Block) => void done.push('text' in block ? block.text.split('\n')[0] : ''),
  } as unknown as SessionWork
  const session = { remember: () => {}, leave: () => void done.push('left') }
  const hasModel = () => true
  const submit = submitter({ work, session, parseSlash, slashHelp: () => 'help', hasModel })
  for (const line of lines) submit(line)
  return done
}

describe('a line that is typed', () => {
  it('is a request, a command of the shell or one of the session', () => {
    expect(typed(['fix it', '! ls -la', '/yolo on', '/etc/hosts is wrong'])).toEqual([
      { kind: 'prompt', text: 'fix it' },
      { kind: 'command', command: 'ls -la' },
      { kind: 'slash', line: '/yolo on' },
      { kind: 'prompt', text: '/etc/hosts is wrong' },
    ])
    expect(typed(['!'])).toEqual(['Write a command behind the !, as in !git status.'])
  })

  it('leaves', () => {
    expect(typed(['exit', 'quit', '/exit', '/exi'])).toEqual(['left', 'left', 'left', 'left'])
  })

  it('looks at once while something is worked on, and looks back only where there is something', () => {
    const isBusy = true
    expect(typed(['/cost', '/undo', '/help'], { runId: 'r', isBusy })).toEqual([
      { look: '/cost' },
      { kind: 'slash', line: '/undo' },
      'help',
    ])
    expect(typed(['/cost'])).toEqual(['Nothing has been done in this session yet.'])
  })
})
