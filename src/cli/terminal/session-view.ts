import type { CodeEvent } from '../../app.ts'
import { fromInertMarkdown } from '../../claims/verify/inert-markdown.ts'
import type { Json } from '../../kernel/json.ts'
import { asObject } from '../render/as-object.ts'
import { type Answering, answerBlocks, noAnswer, takeDelta, takeMessage } from './answer-stream.ts'
import { type Block, failureBlocks } from './blocks.ts'
import {
  diffOfInput,
  isFailedCommand,
  isRefused,
  printedBy,
  toolNote,
  toolTitle,
} from './tool-words.ts'

/** A call in progress. */
export interface RunningTool {
  readonly callId: string
  readonly name: string
  readonly title: string
  readonly input: Json
  /** Whether the person was shown what it would do. */
  readonly isShown: boolean
}

/** A session as shown at the end of the screen. */
export interface SessionView {
  /** The kind of the current turn; `undefined` between turns. */
  readonly turn: string | undefined
  readonly answering: Answering
  /** The model's thought in progress. */
  readonly thinking: string
  readonly tools: readonly RunningTool[]
  /** The last lines that the running command has printed. */
  readonly printed: string
  /** What is being waited for, such as a retry. */
  readonly waiting: string
  readonly contextTokens: number
  readonly windowTokens: number
  readonly showsThoughts: boolean
  /** The kind of the last block, for the gaps between blocks. */
  readonly last: 'none' | 'person' | 'answer' | 'tool' | 'other'
}

/** The view before any event. */
export const firstView: SessionView = {
  turn: undefined,
  answering: noAnswer,
  thinking: '',
  tools: [],
  printed: '',
  waiting: '',
  contextTokens: 0,
  windowTokens: 0,
  showsThoughts: false,
  last: 'none',
}

/** The view after an event, and what to print above it for good. */
export interface Heard {
  readonly view: SessionView
  readonly blocks: readonly Block[]
}

/** Applies an event to the view. */
export function hearEvent(view: SessionView, event: CodeEvent): Heard {
  switch (event.type) {
    case 'turn.started':
      return {
        view: { ...view, turn: event.kind, printed: '', waiting: '', thinking: '' },
        blocks: [],
      }
    case 'delta':
      return heardDelta(view, event)
    case 'message': {
      const { answering, blocks } = takeMessage(view.answering, event.text)
      return put({ ...view, answering, thinking: '', waiting: '' }, blocks, 'answer')
    }
    case 'thought':
      return put({ ...view, thinking: '' }, thoughtBlocks(view, event.text), 'other')
    case 'tool.started':
      return startedTool(view, event)
    case 'tool.progress':
      return { view: { ...view, ...progress(view, event) }, blocks: [] }
    case 'tool.done':
      return doneTool(view, event)
    case 'permission': {
      const { callId } = event.request
      const tools = view.tools.map((one) =>
        one.callId === callId ? { ...one, isShown: true } : one,
      )
      return { view: { ...view, tools }, blocks: [] }
    }
    case 'context':
      return {
        view: { ...view, contextTokens: event.tokens, windowTokens: event.windowTokens },
        blocks: [],
      }
    case 'notice':
      return put(view, [{ kind: 'notice', level: event.level, text: event.text }], 'other')
    case 'turn.done':
      return doneTurn(view, event)
    default:
      return { view, blocks: [] }
  }
}

/** Adds blocks above the view, with a gap where the kind changes. */
export function put(
  view: SessionView,
  blocks: readonly Block[],
  group: SessionView['last'],
): Heard {
  if (blocks.length === 0) return { view, blocks }
  const { last } = view
  const isApart = group === 'person' || last === 'person' || group === 'answer' || last === 'answer'
  const hasGap = last !== 'none' && last !== group && isApart
  const gap: readonly Block[] = hasGap ? [{ kind: 'gap' }] : []
  return { view: { ...view, last: group }, blocks: [...gap, ...blocks] }
}

type Of<T extends CodeEvent['type']> = Extract<CodeEvent, { readonly type: T }>

function heardDelta(view: SessionView, { kind, text }: Of<'delta'>): Heard {
  if (kind === 'reasoning') {
    const thinking = `${view.thinking}${text}`.slice(-mostThinking)
    return { view: { ...view, thinking, waiting: '' }, blocks: [] }
  }
  const { answering, blocks } = takeDelta(view.answering, text)
  return put({ ...view, answering, thinking: '', waiting: '' }, blocks, 'answer')
}

const mostThinking = 2_000

function thoughtBlocks({ showsThoughts }: SessionView, text: string): readonly Block[] {
  return showsThoughts ? [{ kind: 'thought', text }] : []
}

function startedTool(view: SessionView, { callId, toolName, input }: Of<'tool.started'>): Heard {
  const title = toolTitle(toolName, input)
  const tool = { callId, name: toolName, title, input, isShown: false }
  const others = view.tools.filter((other) => other.callId !== callId)
  return { view: { ...view, tools: [...others, tool] }, blocks: [] }
}

/** The model layer announces a retry; the answer then starts again. */
function progress(
  { answering }: SessionView,
  { key, data }: Of<'tool.progress'>,
): Partial<SessionView> {
  const { text: said, output } = asObject(data)
  if (typeof output === 'string') return { printed: output }
  if (typeof said !== 'string') return {}
  const text = said.replace(/(?<![.!?]) (?=Trying again in )/, '. ')
  if (!/\/agent\/\d+$/.test(key)) return { waiting: text }
  return {
    waiting: text,
    thinking: '',
    answering: { ...answering, isBroken: answering.text !== '' },
  }
}

function doneTool(view: SessionView, event: Of<'tool.done'>): Heard {
  const { callId, toolName, output, isError } = event
  const begun = view.tools.find((tool) => tool.callId === callId)
  const tools = view.tools.filter((tool) => tool !== begun)
  const title = begun?.title ?? toolName
  const isFailed = isError || isFailedCommand(output)
  const line: Block = {
    kind: 'tool',
    sign: isRefused(output, isError) ? 'refused' : isFailed ? 'failed' : 'done',
    title,
    note: toolNote(toolName, output, isError),
  }
  const printed = printedBy(output)
  const diff = isError || begun?.isShown === true ? '' : diffOfInput(toolName, begun?.input ?? null)
  return put(
    { ...view, tools, printed: '', waiting: '' },
    [
      line,
      ...(diff === '' ? [] : [{ kind: 'diff', text: diff } as const]),
      ...(printed.trim() === ''
        ? []
        : [{ kind: 'output', text: printed, most: isFailed ? 16 : 8 } as const]),
    ],
    'tool',
  )
}

function doneTurn(view: SessionView, { outcome, answer, failure }: Of<'turn.done'>): Heard {
  const { turn = 'prompt', tools, answering } = view
  const left = answerBlocks(answering)
  const partial = put({ ...view, answering: noAnswer }, left, 'answer')
  const stopped = tools.map(
    ({ title }): Block => ({ kind: 'tool', sign: 'stopped', title, note: 'stopped' }),
  )
  const ended = put(partial.view, [...stopped], 'tool')
  const told = put(ended.view, endBlocks(turn, outcome, answer, failure), 'other')
  return {
    view: { ...told.view, turn: undefined, tools: [], printed: '', waiting: '', thinking: '' },
    blocks: [...partial.blocks, ...ended.blocks, ...told.blocks],
  }
}

/** What a turn's end reports that was not shown during the turn. */
function endBlocks(
  turn: string,
  outcome: Of<'turn.done'>['outcome'],
  answer: string,
  failure: Of<'turn.done'>['failure'],
): readonly Block[] {
  const why = failure === undefined || outcome === 'limit' ? [] : failureBlocks(failure)
  if (turn === 'command' && outcome !== 'cancelled')
    return [...why, { kind: 'output', text: answer, most: 60 }]
  if (turn !== 'prompt' && turn !== 'command') {
    const text = turn === 'settings' ? settingsWords(answer) : answer
    return [...why, ...(text === '' ? [] : [{ kind: 'told', text } as const])]
  }
  switch (outcome) {
    case 'cancelled':
      return [{ kind: 'notice', level: 'warning', text: 'Stopped. What was done so far stays.' }]
    case 'max_steps':
    case 'limit': {
      const written = fromInertMarkdown(answer).split('\n')
      const lines = written.map((text): Block => ({ kind: 'line', text, fence: '' }))
      const text = failure?.message ?? 'The limit of model calls per request was reached.'
      const hint = failure?.hint
      return [
        ...(answer === '' ? [{ kind: 'notice', level: 'warning', text } as const] : lines),
        ...(hint === undefined ? [] : [{ kind: 'notice', level: 'info', text: hint } as const]),
      ]
    }
    default:
      return why
  }
}

/** Settings in the words of their commands: `isYolo: true` is `yolo: on`. */
function settingsWords(answer: string): string {
  const names: Readonly<Record<string, string>> = {
    isYolo: 'yolo',
    showThoughts: 'thoughts',
    maxSteps: 'iterations',
    hasFallback: 'fallback answer',
  }
  return answer
    .replaceAll(/(^|; )(\w+): /g, (_, before: string, name: string) => {
      return `${before}${names[name] ?? name}: `
    })
    .replaceAll(/: true\b/g, ': on')
    .replaceAll(/: false\b/g, ': off')
}
