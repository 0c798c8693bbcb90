import type { PlanEntry, SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { CodeEvent, PermissionRequest, SessionState } from '../app.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import type { Json } from '../kernel/json.ts'
import { AnswerStream } from './answer-stream.ts'
import { shownPreview } from './diff-content.ts'
import { fenced, textBlock, textContent } from './text-content.ts'
import {
  asObject,
  isFailedCommand,
  rawInput,
  resultContent,
  shortTitle,
  toolKind,
  toolLocations,
  toolTitle,
} from './tool-call-words.ts'

/** A call without a result yet. */
interface OpenCall {
  /** The editor's id of it, unique within a session. */
  readonly id: string
  readonly callId: string
  readonly title: string
  hasDiff: boolean
}

/** What the forwarder needs from its session. */
export interface ForwarderSite {
  readonly workspace: string
  /** Whether the editor shows notices outside the conversation. */
  readonly hasNotices: boolean
  send(update: SessionUpdate): void
}

/** Forwards the events of a session to an editor. */
export class AcpEventForwarder {
  private readonly site: ForwarderSite
  private readonly stream = new AnswerStream()
  private calls: OpenCall[] = []
  private callCount = 0
  private messageCount = 0
  private turn = 0
  /** Size of the model's window in tokens; 0 if unknown. */
  private windowTokens = 0

  private readonly tellers: { readonly [T in CodeEvent['type']]?: (event: Of<T>) => void } = {
    'turn.started': ({ turn }) => {
      this.turn = turn
      this.begin()
    },
    delta: ({ kind, text }) => this.hearDelta(kind, text),
    thought: ({ text }) => {
      if (!this.stream.hasThought(text)) this.think(toInertMarkdown(text))
    },
    message: ({ text }) => {
      this.think(this.stream.endThought())
      this.say(this.stream.end(text))
      this.messageCount++
    },
    'tool.started': (event) => this.beginCall(event),
    'tool.allowed': ({ callId, preview }) => this.showPreview(callId, preview),
    'tool.progress': (event) => this.hearProgress(event),
    'tool.done': (event) => this.endCall(event),
    context: ({ tokens, windowTokens }) => {
      this.windowTokens = windowTokens
      this.tellUsage(tokens)
    },
    notice: ({ level, text }) => this.notice(level, text),
    'turn.done': (event) => this.endTurn(event),
  }

  constructor(site: ForwarderSite) {
    this.site = site
  }

  hear(event: CodeEvent): void {
    const tell = this.tellers[event.type] as ((event: CodeEvent) => void) | undefined
    tell?.(event)
  }

  /** Sends text to the person as the agent. */
  tell(text: string): void {
    this.messageCount++
    this.say(toInertMarkdown(text))
    this.messageCount++
  }

  /**
   * Shows a notice outside the conversation if the editor can; otherwise, important ones are part of the conversation.
   */
  notice(level: 'info' | 'warning', text: string): void {
    if (this.site.hasNotices)
      this.site.send({ sessionUpdate: 'notice', severity: level, title: text })
    else if (level === 'warning') this.tell(`${text}\n\n`)
  }

  /** Reports how full the model's window is, if its size is known. */
  tellUsage(usedTokens: number, costUsd?: number | null): void {
    if (this.windowTokens === 0) return
    const cost = typeof costUsd === 'number' ? { cost: { amount: costUsd, currency: 'USD' } } : {}
    const { windowTokens: size } = this
    this.site.send({ sessionUpdate: 'usage_update', used: usedTokens, size, ...cost })
  }

  /** The call that a permission request is about. */
  asked({ callId, toolName, preview }: PermissionRequest): ToolCallUpdate {
    const call = this.calls.find((one) => one.callId === callId)
    const { content, locations } = shownPreview(preview, this.site.workspace)
    if (call !== undefined && content.length > 0) call.hasDiff = preview.diff !== undefined
    return {
      toolCallId: call?.id ?? callId,
      title: shortTitle(
        preview.command === undefined ? preview.title : (call?.title ?? preview.title),
      ),
      kind: toolKind(toolName),
      status: 'pending',
      content,
      locations,
    }
  }

  private begin(): void {
    this.stream.reset()
    this.calls = []
  }

  private hearDelta(kind: 'text' | 'reasoning', text: string): void {
    if (kind === 'reasoning') this.think(this.stream.pushThought(text))
    else {
      this.think(this.stream.endThought())
      this.say(this.stream.push(text))
    }
  }

  private say(text: string): void {
    if (text === '') return
    const messageId = `${this.turn}.${this.messageCount}`
    this.site.send({ sessionUpdate: 'agent_message_chunk', messageId, content: textBlock(text) })
  }

  private think(text: string): void {
    if (text === '') return
    const messageId = `${this.turn}.${this.messageCount}.thought`
    this.site.send({ sessionUpdate: 'agent_thought_chunk', messageId, content: textBlock(text) })
  }

  private beginCall({ callId, toolName, input }: Of<'tool.started'>): void {
    this.think(this.stream.endThought())
    this.stream.reset()
    if (isPlanTool(toolName)) return
    this.callCount++
    const id = `${this.turn}.${this.callCount}.${callId}`
    const title = toolTitle(toolName, input)
    this.calls.push({ id, callId, title, hasDiff: false })
    this.site.send({
      sessionUpdate: 'tool_call',
      toolCallId: id,
      title,
      name: toolName,
      kind: toolKind(toolName),
      status: this.calls.length === 1 ? 'in_progress' : 'pending',
      locations: toolLocations(input, this.site.workspace),
      ...rawInput(input),
    })
  }

  private showPreview(callId: string, preview: PermissionRequest['preview']): void {
    const call = this.calls.find((one) => one.callId === callId)
    if (call === undefined) return
    const { content, locations } = shownPreview(preview, this.site.workspace)
    call.hasDiff = preview.diff !== undefined && content.length > 0
    this.update(call, {
      status: 'in_progress',
      ...(preview.command === undefined
        ? { title: shortTitle(preview.title), content, locations }
        : {}),
    })
  }

  private endCall({ callId, toolName, output, isError, shown }: Of<'tool.done'>): void {
    if (toolName === 'todo' && !isError) {
      const { todos } = asObject(output) as { todos?: SessionState['todo'] }
      if (todos !== undefined) this.site.send(planUpdate(todos))
    }
    const call = this.calls.find((one) => one.callId === callId)
    if (call === undefined) return
    this.calls = this.calls.filter((one) => one !== call)
    const isFailed = isError || isFailedCommand(output)
    // A change is shown by its diff.
    const content =
      call.hasDiff && !isError ? {} : { content: resultContent(output, isError, shown) }
    this.update(call, { status: isFailed ? 'failed' : 'completed', ...content })
    const [next] = this.calls
    if (next !== undefined) this.update(next, { status: 'in_progress' })
  }

  private update({ id }: OpenCall, change: Omit<ToolCallUpdate, 'toolCallId'>): void {
    this.site.send({ sessionUpdate: 'tool_call_update', toolCallId: id, ...change })
  }

  /**
   * A command's progress is its last output; the model layer announces a retry, after which the answer starts again.
   */
  private hearProgress({ key, data }: Of<'tool.progress'>): void {
    const { text, output } = asObject(data as Json)
    const [running] = this.calls
    if (typeof output === 'string' && running !== undefined)
      this.update(running, { content: [textContent(fenced(output))] })
    if (typeof text !== 'string') return
    if (/\/model(?:\.\w+)?$/.test(key)) this.say(this.stream.breakOff())
    this.notice('info', text)
  }

  private endTurn({ outcome, answer }: Of<'turn.done'>): void {
    for (const call of this.calls) this.update(call, { status: 'failed' })
    this.begin()
    // Text written by code is not streamed.
    if ((outcome === 'max_steps' || outcome === 'limit') && answer !== '') this.tell(answer)
    this.messageCount++
  }
}

type Of<T extends CodeEvent['type']> = Extract<CodeEvent, { readonly type: T }>

function isPlanTool(name: string): boolean {
  return name === 'todo' || name === 'todo_write'
}

/** The to-do list as a plan, without dropped items. */
export function planUpdate(todos: SessionState['todo']): SessionUpdate {
  const entries = todos.flatMap(({ text, status }): PlanEntry[] =>
    status === 'dropped'
      ? []
      : [
          {
            content: text,
            priority: 'medium',
            status: status === 'done' ? 'completed' : status,
          },
        ],
  )
  return { sessionUpdate: 'plan', entries }
}
