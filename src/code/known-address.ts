import { type Message, type Part, toolCallsOf } from '../kernel/agent/message.ts'
import { standsIn } from '../kernel/agent/write-guard.ts'
import type { JsonObject } from '../kernel/json.ts'
import { researchName } from './session-sources.ts'

/** Where a session may know an address from. */
export interface KnownTexts {
  /** What the person asked, in their own words. */
  readonly requests: readonly string[]
  readonly conversation: readonly Message[]
}

/**
 * Whether the person named an address whole, an answer of the question team cites it, or it was read before. Asking at another one
 * may tell its owner something: a model can write into it what it has read.
 */
export function isKnownAddress(address: string, { requests, conversation }: KnownTexts): boolean {
  const { href } = new URL(address)
  const forms = [...new Set([address, href, href.replace(/\/$/, '')])]
  const isNamed = requests.some((text) => forms.some((form) => mentionsAddress(text, form)))
  const parts = conversation.flatMap((message) => message.parts)
  return (
    isNamed ||
    [...listCitedAddresses(parts), ...listFetchedAddresses(conversation, parts)].some((one) =>
      forms.includes(one),
    )
  )
}

/** People leave `https://` out. */
function mentionsAddress(text: string, address: string): boolean {
  const words = ` ${text.replaceAll(/[\s("'`<]+/g, ' ')}`
  return standsIn(words, ` ${address}`) || standsIn(words, ` ${address.replace(/^https:\/\//, '')}`)
}

/** The addresses of the sources that answers of the question team cite. */
function listCitedAddresses(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool-result' || part.toolName !== researchName) return []
    const { sources } = (part.output ?? {}) as { readonly sources?: readonly JsonObject[] }
    return Array.isArray(sources)
      ? sources.flatMap(({ url }) => (typeof url === 'string' ? url : []))
      : []
  })
}

/** The addresses that calls asked for which were made. */
function listFetchedAddresses(
  conversation: readonly Message[],
  parts: readonly Part[],
): readonly string[] {
  const done = new Set(
    parts.flatMap((part) =>
      part.type === 'tool-result' && part.isError !== true ? part.toolCallId : [],
    ),
  )
  return conversation.flatMap(toolCallsOf).flatMap(({ toolCallId, toolName, input }) => {
    const { url } = (input ?? {}) as JsonObject
    return toolName === 'fetch' && done.has(toolCallId) && typeof url === 'string' ? url : []
  })
}
