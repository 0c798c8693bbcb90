import { ScholiumError } from '../kernel/errors.ts'
import type { Provider } from './providers.ts'

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>

/** An address and where it was given: a variable's name, or `baseUrl` of the role. */
export interface Address {
  readonly baseUrl: string
  readonly from: string
}

/** The first of these variables that is set and not blank, or `undefined`. */
export function findSetVariable(
  environment: Variables,
  names: readonly string[],
): string | undefined {
  return names.find((name) => (environment[name] ?? '').trim() !== '')
}

/**
 * A provider's base URL from the environment, otherwise its public one.
 * @throws `invalid_configuration` if a variable does not hold a URL
 */
export function findAddress(facts: Provider, environment: Variables): Address | undefined {
  const from = findSetVariable(environment, facts.baseUrlVariables)
  if (from === undefined)
    return facts.baseUrl === undefined ? undefined : { baseUrl: facts.baseUrl, from: 'default' }
  const text = (environment[from] as string).trim()
  return { baseUrl: checkBaseUrl(facts, inItsForm(from, text), from), from }
}

/**
 * Validates a role's base URL and brings it into the form that the provider's package expects.
 * @throws `invalid_configuration` if it is not a URL, or contains a secret, which would enter logs
 */
export function checkBaseUrl(facts: Provider, text: string, from: string): string {
  const complain = (what: string, hint: string) =>
    new ScholiumError('invalid_configuration', `${facts.label} cannot be reached: ${what}.`, {
      hint,
    })
  if (!URL.canParse(text) || !/^https?:/i.test(text)) {
    const example = facts.baseUrl ?? 'http://127.0.0.1:11434/v1'
    throw complain(`${from} is not an http address`, `Set it to an address such as ${example}.`)
  }
  const url = new URL(text)
  const keyPlace = facts.keyVariables[0] ?? 'apiKey of the role'
  if (url.username !== '' || url.password !== '')
    throw complain(
      `${from} contains a user name or password`,
      `Remove it from the address; put the key in ${keyPlace}.`,
    )
  if (url.search !== '' || url.hash !== '')
    throw complain(
      `${from} contains ? or #`,
      `Give the address only up to its path; put the key in ${keyPlace}.`,
    )
  return withVersion(facts, url)
}

/** Whether this URL points to the local machine. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  )
}

/** Whether two URLs have the same scheme, host and port. */
export function isSameOrigin(one: string, other: string | undefined): boolean {
  return other !== undefined && new URL(one).origin === new URL(other).origin
}

function inItsForm(variable: string, text: string): string {
  if (variable === 'OLLAMA_HOST') return ollamaAddress(text)
  if (variable === 'AZURE_RESOURCE_NAME') return `https://${text}.openai.azure.com`
  return text
}

/**
 * `OLLAMA_HOST` in the forms that Ollama accepts: `host`, `host:port`, `:port`, or a URL. A server that listens on all interfaces
 * (0.0.0.0) is reached at 127.0.0.1.
 * @see https://docs.ollama.com/faq
 */
function ollamaAddress(text: string): string {
  const [, scheme, rest = ''] = /^(?:(https?):\/\/)?(.*?)\/*$/i.exec(text) ?? []
  const [hostPort = '', ...path] = rest.split('/')
  const whole = hostPort.startsWith(':') ? `127.0.0.1${hostPort}` : hostPort
  const hasPort = scheme !== undefined || /:\d+$/.test(whole)
  const host = whole.replace(/^0\.0\.0\.0(?=:|$)/, '127.0.0.1').replace(/^\[::\](?=:|$)/, '[::1]')
  return [`${scheme ?? 'http'}://${host}${hasPort ? '' : ':11434'}`, ...path].join('/')
}

/** Adds the provider's API path if only the host was given. */
function withVersion(facts: Provider, url: URL): string {
  const path = url.pathname.replace(/\/+$/, '')
  const versioned = versionedPath(facts.provider, path)
  return `${url.origin}${versioned}`
}

/** Other tools for these providers use the URL without a version, so both forms are common. */
function versionedPath(provider: string, path: string): string {
  if (provider === 'azure') return path === '' ? '/openai/v1' : path
  if (provider === 'anthropic') return /\/v\d+$/.test(path) ? path : `${path}/v1`
  if (provider === 'google') return /\/v\d\w*$/.test(path) ? path : `${path}/v1beta`
  if (provider === 'ollama') return path === '' ? '/v1' : path
  return path
}
