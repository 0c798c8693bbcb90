import { describe, expect, it } from 'vitest'
import { renderFallbackAnswer, type UnansweredRequest } from './fallback-answer.ts'

const ended: UnansweredRequest = {
  why: 'max_steps',
  detail: '',
  request: 'Mend the build',
  modelCalls: 3,
  maxSteps: 3,
  toolCalls: { read: 2, edit: 1, bash: 1 },
  filesRead: ['src/a.ts', 'src/b.ts'],
  filesChanged: ['src/a.ts'],
  commands: ['npm test\nnpm run build'],
  refused: [{ toolName: 'bash', title: 'run rm -r dist', reason: 'no', rules: [] }],
  lastWords: 'I was about to run the tests.',
}

describe('the answer for a request without one', () => {
  it('is two lines where little is wanted', () => {
    expect(renderFallbackAnswer(ended, 'minimal')).toBe(
      'Stopped before there was an answer: 3 of 3 model calls were made.\n\n1 file changed, 1 command run.',
    )
  })

  it('says how far it came, what happened, files, commands, what was refused and what to do next', () => {
    const answer = renderFallbackAnswer(ended, 'normal')
    for (const part of [
      '3 of 3 model calls',
      'Asked: Mend the build',
      'read 2×, edit 1×, bash 1×',
      'Files changed:\n- src/a.ts',
      'Commands run:\n- npm test',
      'Not allowed:\n- run rm -r dist',
      'Next:\n- Say "continue"',
      '/undo',
    ])
      expect(answer).toContain(part)
    expect(answer).not.toContain('Files read')
    expect(answer).not.toContain('npm run build')
  })

  it('has the files that were read and the last words as well in detail', () => {
    const answer = renderFallbackAnswer(ended, 'detailed')
    expect(answer).toContain('Files read:\n- src/a.ts\n- src/b.ts')
    expect(answer).toContain('> I was about to run the tests.')
  })

  it('says which limit stopped it, and leaves out what there was none of', () => {
    const nothing = { toolCalls: {}, filesRead: [], filesChanged: [], commands: [], refused: [] }
    const answer = renderFallbackAnswer(
      { ...ended, ...nothing, why: 'limit', detail: 'The run has used its tokens.' },
      'normal',
    )
    expect(answer).toContain('The run has used its tokens.')
    expect(answer).toContain('no tool was used')
    expect(answer).toContain('Raise the limit')
    expect(answer).not.toContain('Files changed')
  })

  it('counts what is more than it lists', () => {
    const commands = Array.from({ length: 11 }, (_, index) => `echo ${index}`)
    expect(renderFallbackAnswer({ ...ended, commands }, 'normal')).toContain('- and 3 more')
  })
})
