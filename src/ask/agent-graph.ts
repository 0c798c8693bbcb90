import * as z from 'zod'
import { saysNothing } from '../citations/role-requests.ts'
import { defineGraph, end, type Graph, replace } from '../graph/graph.ts'
import { type Agent, runAgent } from '../kernel/agent/agent-loop.ts'
import {
  type Message,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
} from '../kernel/agent/message.ts'
import { type Hash, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import { callModel } from '../kernel/model/model-call.ts'
import { cutOffReason, parseReply } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { findJson } from '../kernel/text/json-from-text.ts'
import { createMessage } from '../team/conversation.ts'
import { citedNumbers } from '../team/evidence.ts'

/** The state of an agent's own sub-graph. */
export type AgentState = {
  /** The conversation so far, the opening messages first: the hashes of its messages. */
  readonly conversation: readonly Hash[]
  /** The last text of the model. */
  readonly text: string
  /** Whether that text, or then the answer, was cut off at its maximum length. */
  readonly isCut: boolean
  /** The checked answer; null when there was none of a usable form. */
  readonly answer: JsonObject | null
  /** Why there is no answer. */
  readonly problem: string
  /** What the agent's tools left for the team, in their own format. */
  readonly findings: Json
}

/** An agent with tools and the form of its answer. */
export interface AgentParts {
  readonly name: string
  readonly agent: Agent
  readonly schema: z.ZodObject<Readonly<Record<string, z.ZodType<string>>>>
  /** The answer in its form of a model that answered in words. */
  fromProse(text: string): JsonObject
  /** What the tools left; called after the conversation with their results in it and the calls they answer. */
  findings(results: readonly ToolResultPart[], calls: readonly ToolCallPart[]): Json
}

/** The sub-graph of an agent: it converses with its tools until it answers, then the answer is parsed. */
export function createAgentGraph(parts: AgentParts): Graph<AgentState> {
  return defineGraph<AgentState>({
    name: parts.name,
    channels: {
      conversation: replace<readonly Hash[]>([]),
      text: replace(''),
      isCut: replace(false),
      answer: replace<JsonObject | null>(null),
      problem: replace(''),
      findings: replace<Json>(null),
    },
    start: 'converse',
    nodes: {
      converse: (state, context) => converse(parts, state, context),
      report: (state, context) => report(parts, state, context),
    },
    edges: { converse: 'report', report: end },
  })
}

async function converse(parts: AgentParts, state: AgentState, context: RunContext) {
  const opened = await context.loadMessages(state.conversation)
  // Its tools read what others wrote, and so did the roles before it.
  const agent = { ...parts.agent, isTainted: true }
  const { messages, text, isCut } = await runAgent(context.child('react'), agent, opened)
  const added = messages.slice(opened.length)
  const results = added
    .flatMap((message) => message.parts)
    .filter((part) => part.type === 'tool-result')
  const conversation = [...state.conversation, ...context.keepMessages(added)]
  const findings = parts.findings(results, added.flatMap(toolCallsOf))
  return { conversation, text, findings, ...(isCut ? { isCut } : {}) }
}

/**
 * Parses the answer from the last text; asks once more, without tools, if there is none, it is invalid or was cut off.
 * An answer that is cut off again is used if the rest of it is valid.
 */
async function report(parts: AgentParts, state: AgentState, context: RunContext) {
  const { agent, schema } = parts
  const conversation = await context.loadMessages(state.conversation)
  const first = parseReply(conversation.at(-1) as Message, schema)
  const isRead = state.text !== '' && first.ok
  const isWhole = isRead && !(state.isCut && first.truncated)
  if (isWhole) return { answer: first.value, ...cutFlag(state, false) }
  if (!state.isCut && isAnswerInWords(state.text))
    return { answer: parts.fromProse(state.text.trim()) }
  const demand = `${isRead ? cutReason : explainMissing(state, first)}\nAnswer now from what you have: one JSON object of the requested form and nothing else.`
  const messages = [...conversation, createMessage(context, 'user', demand)]
  const responseSchema = z.toJSONSchema(schema, { io: 'input' }) as JsonObject
  const { roleRequest } = agent
  const request = {
    messages,
    responseSchema,
    ...(roleRequest === undefined ? {} : { roleRequest }),
  }
  const reply = await callModel(context, 'again', agent.model, request)
  const again = parseReply(reply.message, schema)
  const second = again.ok || !isRead ? again : first
  const isCut = second === first || reply.finishReason === 'length'
  const added = context.keepMessages([messages.at(-1) as Message, reply.message])
  const kept = { conversation: [...state.conversation, ...added] }
  return second.ok
    ? { ...kept, answer: second.value, ...cutFlag(state, isCut && second.truncated) }
    : { ...kept, problem: reply.finishReason === 'length' ? cutOffReason : second.reason }
}

/**
 * A text that can be nothing but an answer in words in the place of the form: it has no JSON object, and cites sources or says that
 * they say nothing; an announcement does neither.
 */
export function isAnswerInWords(text: string): boolean {
  const isCited = citedNumbers(text).length > 0 || saysNothing(text)
  return isCited && !findJson(text).some(({ value }) => isJsonObject(value))
}

function cutFlag(state: AgentState, isCut: boolean): Partial<Pick<AgentState, 'isCut'>> {
  return isCut === state.isCut ? {} : { isCut }
}

const cutReason = `That answer could not be used: ${cutOffReason}. Be much shorter.`

function explainMissing({ text, isCut }: AgentState, read: ReturnType<typeof parseReply>): string {
  if (text === '') return 'You have not answered yet.'
  return isCut || read.ok ? cutReason : `That answer could not be used: ${read.reason}`
}
