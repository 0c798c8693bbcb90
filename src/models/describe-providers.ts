import {
  findAddress,
  findSetVariable,
  isLoopback,
  isSameOrigin,
  type Variables,
} from './base-url.ts'
import { type Provider, providers } from './providers.ts'

/** A built-in provider and how the environment configures it. */
export interface ProviderDescription {
  readonly provider: string
  readonly label: string
  /** Environment variables that may hold its key. */
  readonly keyVariables: readonly string[]
  /** Environment variables that may hold its address. */
  readonly baseUrlVariables: readonly string[]
  /** The base URL in effect, or null if none is known. */
  readonly baseUrl: string | null
  /** Whether it runs on this machine. */
  readonly isLocal: boolean
  /** Whether its models can be used now: it has a base URL, and a key if it needs one. */
  readonly isConfigured: boolean
  /** Why the current settings do not work, or null. */
  readonly problem: string | null
  readonly docsUrl: string
}

/** All built-in providers, local ones first. Makes no network request. */
export function describeProviders(environment: Variables): readonly ProviderDescription[] {
  return providers.map((facts) => describe(facts, environment))
}

function describe(facts: Provider, environment: Variables): ProviderDescription {
  const { provider, label, keyVariables, baseUrlVariables, docsUrl } = facts
  const { baseUrl, problem } = readAddress(facts, environment)
  const hasKey = findSetVariable(environment, keyVariables) !== undefined
  const isPublic =
    facts.baseUrl === undefined || isSameOrigin(baseUrl ?? facts.baseUrl, facts.baseUrl)
  const needsKey = facts.needsKey && isPublic && !(baseUrl !== null && isLoopback(baseUrl))
  return {
    provider,
    label,
    keyVariables,
    baseUrlVariables,
    baseUrl,
    isLocal: baseUrl === null ? facts.isLocal : isLoopback(baseUrl),
    isConfigured: baseUrl !== null && (hasKey || !needsKey),
    problem,
    docsUrl,
  }
}

function readAddress(
  facts: Provider,
  environment: Variables,
): { readonly baseUrl: string | null; readonly problem: string | null } {
  try {
    return { baseUrl: findAddress(facts, environment)?.baseUrl ?? null, problem: null }
  } catch (error) {
    return { baseUrl: null, problem: (error as Error).message }
  }
}
