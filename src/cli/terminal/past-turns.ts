import type { SessionState } from '../../app.ts'
import { fromInertMarkdown } from '../../claims/verify/inert-markdown.ts'
import type { Block } from './blocks.ts'
import { fenceAfter } from './markdown-lines.ts'

const mostTurns = 5
const mostLines = 20

/** The last exchange of a resumed session. */
export function pastBlocks({ turns }: SessionState): readonly Block[] {
  const said = turns.filter(({ kind }) => kind === 'prompt' || kind === 'command')
  const shown = said.slice(-mostTurns)
  const left = said.length - shown.length
  const note: readonly Block[] =
    left > 0 ? [{ kind: 'notice', level: 'info', text: `… ${left} requests before` }] : []
  return [...note, ...shown.flatMap(turnBlocks)]
}

function turnBlocks({ kind, prompt = '', commands = [], answer, outcome }: Turn): readonly Block[] {
  if (kind === 'command') {
    const [command = ''] = commands
    return [
      { kind: 'person', text: `!${command}` },
      { kind: 'output', text: answer, most: 8 },
    ]
  }
  const lines = fromInertMarkdown(answer).split('\n')
  const rest = lines.length - mostLines
  const end: readonly Block[] = [
    ...(rest > 0 ? [{ kind: 'notice', level: 'info', text: `… ${rest} more lines` } as const] : []),
    ...(outcome === 'cancelled'
      ? [{ kind: 'notice', level: 'warning', text: 'It was stopped.' } as const]
      : []),
  ]
  return [
    { kind: 'person', text: prompt },
    { kind: 'gap' },
    ...(answer.trim() === '' ? [] : answerLines(lines.slice(0, mostLines))),
    ...end,
    { kind: 'gap' },
  ]
}

type Turn = SessionState['turns'][number]

function answerLines(lines: readonly string[]): readonly Block[] {
  let fence = ''
  return lines.map((text): Block => {
    const block = { kind: 'line', text, fence } as const
    fence = fenceAfter(text, fence)
    return block
  })
}
