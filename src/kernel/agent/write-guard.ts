import { ScholiumError } from '../errors.ts'
import { canonicalJson, type Json, type JsonObject } from '../json.ts'
import { matchesWildcard } from '../text/wildcard.ts'
import type { Message, ToolResultPart } from './message.ts'
import { quotedResultTag } from './repair-history.ts'
import type { Tool, ToolRegistry } from './tool.ts'

/** Why a call is refused: the message for the model, and the record for the log. */
export interface WriteRefusal {
  readonly result: Json
  readonly message: string
  /** The reason alone, as a sentence. */
  readonly reason: string
}

/** With what an agent's guard begins. */
export interface GuardOptions {
  readonly tools: ToolRegistry
  /** Names of tools that may change something although the conversation is tainted; see {@link readAllowRules}. */
  readonly allow?: readonly string[]
  /** Whether the messages already hold text from elsewhere that no tool result shows. */
  readonly isTainted?: boolean
  /** What brought that text, in words. */
  readonly taintedBy?: string
}

/**
 * Keeps text that neither the person nor the operator wrote from changing anything. Once a model has been shown such text, a tool
 * that writes is refused, unless an allow rule names it. What taints is read from the messages and the tools alone, so a resumed,
 * replayed or forked run decides alike.
 */
export class WriteGuard {
  private readonly tools: ToolRegistry
  private readonly isAllowed: (toolName: string) => boolean
  /** What brought the text from elsewhere, in words. */
  private origin: string | undefined
  private readonly shown: Message[] = []

  /** @throws `invalid_configuration` for an allow rule that names no tool */
  constructor({ tools, allow = [], isTainted = false, taintedBy }: GuardOptions) {
    this.tools = tools
    this.isAllowed = readAllowRules(allow)
    const described = tools.tools.find(({ untrusted }) => untrusted === 'all')
    if (isTainted) this.origin = taintedBy ?? 'its input'
    else if (described !== undefined) this.origin = `the description of ${described.name}`
  }

  /** Whether the model has been shown text from elsewhere. */
  get isTainted(): boolean {
    return this.origin !== undefined
  }

  /** Takes note of messages that the model is shown from now on. */
  show(messages: readonly Message[]): void {
    this.shown.push(...messages)
    for (const message of messages) this.origin ??= foreignOrigin(message, this.tools)
  }

  /** Why a call of this tool may not ask where it wants to; `undefined` where it may. */
  reachRefusalOf({ name, reaches }: Tool, input: Json): WriteRefusal | undefined {
    const reached = reaches?.(input)
    if (reached === undefined || this.origin === undefined || this.isAllowed(name)) return undefined
    const { address, saysMore } = reached
    // What a model itself wrote counts as nothing: it would only have to say an address first.
    const isKnown = this.shown.some(
      (message) => message.role !== 'assistant' && holdsAddress(message, address),
    )
    if (isKnown && !saysMore) return undefined
    const why = `the conversation holds text from elsewhere (${this.origin}), and ${saysMore ? 'the call would send more than an address' : 'this address stood nowhere in it'}`
    const advice = saysMore
      ? 'Call it with an address alone.'
      : 'Use an address as it stood there, whole and unchanged.'
    return {
      result: { error: `${name} was not called: ${why}. ${advice}` },
      message: `${name} was refused: ${why}. An allow rule that names ${name} would let it through.`,
      reason: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    }
  }

  /** Why this tool may not be called now; `undefined` where it may. */
  refusalOf({ name, effect }: Tool): WriteRefusal | undefined {
    if (effect !== 'write' || this.origin === undefined || this.isAllowed(name)) return undefined
    const why = `it changes something, and the conversation holds text from elsewhere (${this.origin}), which could have asked for it`
    const advice = 'Do not try it again. Go on without it, and say what you would have done.'
    return {
      result: { error: `${name} was not called: ${why}. ${advice}` },
      message: `${name} was refused: ${why}. An allow rule that names ${name} would let it through.`,
      reason: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    }
  }
}

/** Whether a message holds an address whole: no part of a longer one, whose choice would tell something. */
function holdsAddress({ parts }: Message, address: string): boolean {
  return parts.some((part) => {
    if (part.type === 'text') return containsAddress(part.text, address)
    return (
      part.type === 'tool-result' &&
      containsAddress(JSON.stringify(part.output), asWritten(address))
    )
  })
}

function asWritten(address: string): string {
  return JSON.stringify(address).slice(1, -1)
}

/** Whether a text contains an address that ends there: nothing that could belong to it follows. */
export function containsAddress(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at !== -1; at = text.indexOf(address, at + 1))
    if (
      /^(?:$|[\s"'<>)\]}\\,;]|[.!?:](?:$|[\s"\\]))/.test(
        text.slice(at + address.length, at + address.length + 2),
      )
    )
      return true
  return false
}

function foreignOrigin({ role, parts }: Message, tools: ToolRegistry): string | undefined {
  for (const part of parts) {
    if (part.type === 'tool-result' && isForeign(part, tools)) return `a result of ${part.toolName}`
    // A result whose call is gone stands as the user's text, and is none.
    if (role === 'user' && part.type === 'text' && part.text.includes(quotedResultTag))
      return 'a result of an earlier tool'
  }
  return undefined
}

/** Of a tool that is not known any more nobody can say whose words it gave. */
function isForeign(result: ToolResultPart, tools: ToolRegistry): boolean {
  const { toolName, output, isError } = result
  const tool = tools.get(toolName)
  if (tool !== undefined) return tool.untrusted !== undefined && !isRefusal(result)
  const refusal = canonicalJson(unknownTool(toolName, tools))
  return isError !== true || canonicalJson(output) !== refusal
}

/** Whether a call was not made, so that its result is Scholium's own words: no tool's error begins so, and each has a code. */
function isRefusal({ toolName, output, isError }: ToolResultPart): boolean {
  const { error, hint: _hint, ...others } = (output ?? {}) as JsonObject
  const isTold = typeof error === 'string' && error.startsWith(`${toolName} was not called: `)
  return isError === true && isTold && Object.keys(others).length === 0
}

/** The message to a model that calls a tool which does not exist. */
export function unknownTool(toolName: string, { tools }: ToolRegistry): Json {
  const names = tools.map(({ name }) => name).join(', ')
  return { error: `There is no tool "${toolName}". Tools: ${names || 'none'}.` }
}

/**
 * The test of a tool's name against allow rules: each is a name, in which `*` stands for any characters (`browser.*`).
 * @throws `invalid_configuration` for a rule that names nothing, such as `*`
 */
export function readAllowRules(rules: readonly string[]): (toolName: string) => boolean {
  for (const rule of rules) {
    if (!/^[\w.*-]+$/.test(rule) || !/[A-Za-z]/.test(rule)) {
      throw new ScholiumError('invalid_configuration', `"${rule}" does not match any tool.`, {
        hint: 'An allow rule is the name of a tool, or of several with "*": browser.*',
      })
    }
  }
  return (toolName) => rules.some((rule) => matchesWildcard(rule, toolName))
}
