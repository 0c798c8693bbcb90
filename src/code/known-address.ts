import { type Message, type Part, toolCallsOf } from '../kernel/agent/message.ts'
import { containsAddress } from '../kernel/agent/write-guard.ts'
import type { JsonObject } from '../kernel/json.ts'
import { researchName } from './session-sources.ts'

/** Texts that an address may be known from. */
export interface KnownTexts {
  /** The person's requests, in their own words. */
  readonly requests: readonly string[]
  readonly conversation: readonly Message[]
}

/**
 * Whether the address was named in full by the person, is cited by an answer of the question team, or was fetched
 * before. Fetching any other address can leak data to its owner, since a model can write what it has read into a URL.
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

/** People leave out `https://`. */
function mentionsAddress(text: string, address: string): boolean {
  const words = ` ${text.replaceAll(/[\s("'`<]+/g, ' ')}`
  return (
    containsAddress(words, ` ${address}`) ||
    containsAddress(words, ` ${address.replace(/^https:\/\//, '')}`)
  )
}

/** Addresses cited in answers of the question team. */
function listCitedAddresses(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool-result' || part.toolName !== researchName) return []
    const { sources } = (part.output ?? {}) as { readonly sources?: readonly JsonObject[] }
    return Array.isArray(sources)
      ? sources.flatMap(({ url }) => (typeof url === 'string' ? url : []))
      : []
  })
}

/** Addresses that earlier calls fetched. */
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
