import { resolve } from 'node:path'
import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'
import type { SessionHistory, StoredMessage, TurnMessages } from '../app.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { planUpdate } from './acp-event-forwarder.ts'
import { fenced, textBlock } from './text-content.ts'
import {
  asObject,
  rawInput,
  resultContent,
  toolKind,
  toolLocations,
  toolTitle,
} from './tool-call-words.ts'

/** The history of a session as updates, for an editor that loads it. */
export function* toldPast(past: SessionHistory): Generator<SessionUpdate> {
  for (const turn of past.turns) yield* toldTurn(turn, past.workspace)
  if (past.todo.length > 0) yield planUpdate(past.todo)
  if (past.interrupted === undefined) return
  yield said('user_message_chunk', 'open.user', past.interrupted)
  yield said(
    'agent_message_chunk',
    'open.agent',
    '(This request was interrupted. It resumes with your next message.)',
  )
}

function* toldTurn({ turn, messages }: TurnMessages, workspace: string): Generator<SessionUpdate> {
  const name = `past.${turn.turn}`
  if (turn.kind === 'end' || turn.kind === 'settings') return
  if (turn.kind !== 'prompt') {
    const [command] = turn.commands ?? []
    yield said(
      'user_message_chunk',
      `${name}.user`,
      turn.kind === 'command' ? `!${command}` : `/${turn.kind}`,
    )
    const answer = turn.kind === 'command' ? fenced(turn.answer) : turn.answer
    if (answer !== '') yield said('agent_message_chunk', `${name}.agent`, answer)
    return
  }
  if (turn.prompt !== undefined) yield said('user_message_chunk', `${name}.user`, turn.prompt)
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user' || message.role === 'system') continue
    yield* toldMessage(message, `${name}.${index + 1}`, workspace)
  }
  const { outcome, failure } = turn
  if (outcome === 'failed' && failure !== undefined)
    yield said('agent_message_chunk', `${name}.end`, `(It failed: ${failure.message})`)
}

function* toldMessage(
  { parts }: StoredMessage,
  name: string,
  workspace: string,
): Generator<SessionUpdate> {
  const turn = name.replace(/\.\d+$/, '')
  for (const part of parts) {
    if (part.type === 'reasoning' && part.text.trim() !== '')
      yield said('agent_thought_chunk', `${name}.thought`, part.text)
    if (part.type === 'text' && part.text.trim() !== '')
      yield said('agent_message_chunk', name, part.text)
    if (part.type === 'tool-call')
      yield {
        sessionUpdate: 'tool_call',
        toolCallId: `${turn}.${part.toolCallId}`,
        title: toolTitle(part.toolName, part.input),
        name: part.toolName,
        kind: toolKind(part.toolName),
        status: 'completed',
        locations: toolLocations(part.input, workspace),
        content: changedContent(part.toolName, part.input, workspace),
        ...rawInput(part.input),
      }
    if (part.type === 'tool-result') {
      const isError = part.isError === true
      const isChange = toolKind(part.toolName) === 'edit' && !isError
      yield {
        sessionUpdate: 'tool_call_update',
        toolCallId: `${turn}.${part.toolCallId}`,
        status: isError ? 'failed' : 'completed',
        ...(isChange ? {} : { content: resultContent(part.output, isError) }),
      }
    }
  }
}

function said(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  messageId: string,
  text: string,
): SessionUpdate {
  const shown = sessionUpdate === 'user_message_chunk' ? text : toInertMarkdown(text)
  return { sessionUpdate, messageId, content: textBlock(shown) }
}

const oldNames = ['old', 'old_string', 'old_text', 'oldText', 'target', 'search']
const newNames = ['new', 'new_string', 'new_text', 'newText', 'patch', 'replace', 'text']
const contentNames = ['content', 'contents', 'text', 'file_text']

/** What a call replaced, as far as its arguments show it. */
function changedContent(name: string, input: Json, workspace: string): ToolCallContent[] {
  if (toolKind(name) !== 'edit') return []
  const given = asObject(input)
  const [location] = toolLocations(input, workspace)
  if (location === undefined) return []
  const path = resolve(workspace, location.path)
  const edits = Array.isArray(given.edits) ? given.edits.map(asObject) : [given]
  return edits.flatMap((edit): ToolCallContent[] => {
    const oldText = first(edit, oldNames)
    const newText = first(edit, oldText === undefined ? contentNames : newNames)
    if (newText === undefined) return []
    return [{ type: 'diff', path, newText, ...(oldText === undefined ? {} : { oldText }) }]
  })
}

function first(given: JsonObject, names: readonly string[]) {
  return names.map((name) => given[name]).find((value) => typeof value === 'string') as
    | string
    | undefined
}
