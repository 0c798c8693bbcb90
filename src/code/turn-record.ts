import {
  type Message,
  messageText,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
} from '../kernel/agent/message.ts'
import type { ToolRegistry } from '../kernel/agent/tool.ts'
import type { Hash, Json, JsonObject } from '../kernel/json.ts'
import type { CodeEvent } from './events.ts'
import { wasFoundDone } from './file-changes.ts'
import { sanitizePreview } from './permission.ts'
import { researchName, SessionSources } from './session-sources.ts'
import type { RefusedCall, SessionState, TurnPatch } from './state.ts'
import { separateThoughts } from './thoughts.ts'
import type { CodeTool, FileResult, Preview, Todo } from './tools/code-tool.ts'

/** What happens during one request; the same in each execution. */
export class TurnRecord {
  readonly refused: RefusedCall[] = []
  readonly notes: string[] = []
  readonly notices: string[] = []
  modelCalls = 0
  lastWords = ''
  /** The model's last tool calls with their results so far: what a stopped turn leaves open. */
  open: { readonly message: Message; readonly results: ToolResultPart[] } | undefined
  private readonly thoughts = new Set<string>()
  private readonly read = new Set<string>()
  private readonly hashes = new Map<string, Hash | null>()
  private readonly changes: NonNullable<FileResult['changes']>[number][] = []
  /** By call id. */
  private readonly commands = new Map<string, string>()
  private readonly counts: Record<string, number> = {}
  private todo: readonly Todo[] | undefined
  private readonly sources: SessionSources
  /** Ids of the calls whose renumbered answers were emitted. */
  private readonly numbered = new Set<string>()
  private readonly tools: ToolRegistry
  private readonly before: SessionState
  private readonly emit: (event: CodeEvent) => void

  constructor(tools: ToolRegistry, before: SessionState, emit: (event: CodeEvent) => void) {
    this.tools = tools
    this.before = before
    this.sources = new SessionSources(before.sources)
    this.emit = emit
  }

  /** Hash of a file as last read or written. */
  lastHash(path: string): Hash | undefined {
    return this.hashes.has(path) ? (this.hashes.get(path) ?? undefined) : this.before.hashes[path]
  }

  /** Records a message of the model or a tool result. */
  add(made: Message | ToolResultPart): void {
    if ('role' in made) this.addMessage(made)
    else this.addResult(made)
  }

  /** Records what an allowed call will change. */
  onAllow(callId: string, preview: Preview): void {
    this.emit({ type: 'tool.allowed', callId, preview: sanitizePreview(preview) })
    if (preview.command !== undefined) this.commands.set(callId, preview.command)
  }

  /**
   * Renumbers an answer of the question team with the session's numbers. Numbers follow the order of the calls, not of
   * the answers, so that a replay assigns the same ones; the answer is emitted only then.
   */
  renumber(result: ToolResultPart): ToolResultPart {
    const { toolCallId, isError } = result
    if (isError === true) return result
    const output = this.sources.renumber(result.output)
    if (!this.numbered.has(toolCallId))
      this.emit({
        type: 'tool.done',
        callId: toolCallId,
        toolName: researchName,
        output,
        isError: false,
      })
    this.numbered.add(toolCallId)
    return { ...result, output }
  }

  onRefused(call: RefusedCall): void {
    this.refused.push(call)
    this.emit({ type: 'refused', call })
  }

  /** The part of the turn's patch that its calls contribute. */
  patch(): Partial<TurnPatch> {
    const files = [...new Set([...this.before.files, ...this.read])]
    const sources = this.sources.all
    return {
      files,
      hashes: Object.fromEntries(this.hashes),
      changes: this.changes,
      commands: [...this.commands.values()],
      refused: this.refused,
      modelCalls: this.modelCalls,
      toolCalls: { ...this.counts },
      ...(this.todo === undefined ? {} : { todo: this.todo }),
      ...(sources.length === this.before.sources.length ? {} : { sources }),
      ...(this.notes.length === 0 ? {} : { notes: this.notes }),
      ...(this.notices.length === 0 ? {} : { notices: this.notices }),
    }
  }

  get facts() {
    return {
      modelCalls: this.modelCalls,
      toolCalls: this.counts,
      filesRead: [...this.read],
      filesChanged: [...new Set(this.changes.map(({ path }) => path))],
      commands: [...this.commands.values()],
      refused: this.refused,
      lastWords: this.lastWords,
    }
  }

  private addMessage(message: Message): void {
    this.modelCalls++
    this.open = { message, results: [] }
    const { thoughts, text } = separateThoughts(message)
    for (const thought of thoughts) {
      if (this.thoughts.has(thought)) continue
      this.thoughts.add(thought)
      this.emit({ type: 'thought', text: thought })
    }
    if (messageText(message).trim() !== '') {
      this.lastWords = text
      this.emit({ type: 'message', text })
    }
    for (const { toolCallId, toolName, input } of toolCallsOf(message))
      this.emit({ type: 'tool.started', callId: toolCallId, toolName, input })
  }

  private addResult(result: ToolResultPart): void {
    const { toolCallId, toolName, output, isError = false } = result
    this.open?.results.push(result)
    const tool = this.tools.get(toolName) as CodeTool | undefined
    const name = tool?.name ?? toolName
    this.counts[name] = (this.counts[name] ?? 0) + 1
    const done = { callId: toolCallId, toolName: name, output, isError }
    if (name !== researchName || isError)
      this.emit({ type: 'tool.done', ...done, ...presentResult(tool, result) })
    if (isError || tool === undefined) return
    this.noteFiles(output)
    this.noteReads(tool, this.findCall(toolCallId))
    this.noteCommand(tool, this.findCall(toolCallId))
    if (name === 'todo') this.todo = (output as { todos?: readonly Todo[] }).todos ?? this.todo
  }

  private findCall(id: string): ToolCallPart | undefined {
    const calls = this.open === undefined ? [] : toolCallsOf(this.open.message)
    return calls.find(({ toolCallId }) => toolCallId === id)
  }

  /** Commands that only read are allowed without a preview, so they are noted here. */
  private noteCommand(tool: CodeTool, call: ToolCallPart | undefined): void {
    if (tool.name !== 'bash' || call === undefined) return
    const parsed = tool.parse(call.input)
    if (parsed.ok) this.commands.set(call.toolCallId, String((parsed.value as JsonObject).command))
  }

  private noteReads(tool: CodeTool, call: ToolCallPart | undefined): void {
    if (call === undefined || tool.readsFiles === undefined) return
    const parsed = tool.parse(call.input)
    if (!parsed.ok) return
    for (const path of tool.readsFiles(parsed.value)) {
      if (this.read.has(path)) continue
      this.read.add(path)
      this.emit({ type: 'file.read', path })
    }
  }

  /** Results about files carry their own hashes and changes. */
  private noteFiles(output: Json): void {
    if (typeof output !== 'object' || output === null || Array.isArray(output)) return
    const { path, hash, changes } = output as JsonObject & Partial<FileResult>
    if (typeof path === 'string' && typeof hash === 'string') this.hashes.set(path, hash as Hash)
    if (!Array.isArray(changes)) return
    for (const change of changes as NonNullable<FileResult['changes']>) {
      this.changes.push(change)
      this.hashes.set(change.path, change.after)
    }
  }
}

function presentResult(
  tool: CodeTool | undefined,
  { output, isError = false }: ToolResultPart,
): { readonly shown?: string } {
  if (tool?.present === undefined || isError || wasFoundDone(output)) return {}
  return { shown: tool.present(output) }
}
