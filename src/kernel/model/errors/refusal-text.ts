import type { ModelBinding } from '../model.ts'
import type { RefusalFacts } from './refusal-facts.ts'
import { type RefusalReason, readTokenCounts } from './refusal-reason.ts'

/** What is needed to explain why a model failed. */
export type Refused = Pick<ModelBinding, 'name' | 'effect' | 'timeoutMs' | 'reach'>

/** A refusal to explain. */
export interface Refusal {
  readonly binding: Refused
  readonly facts: RefusalFacts
  /** The wait that the service requests if it is too long to wait for: `for 12 min`. */
  readonly until: string | undefined
}

/** What happened, as the rest of a sentence that begins with the model's name. */
export function describeReason(reason: RefusalReason, { binding, facts, until }: Refusal): string {
  const { status } = facts
  const own = `${status === undefined || status < 400 ? '' : ` (${status})`}: ${facts.message}`
  const address = formatAddress(binding)
  switch (reason) {
    case 'timed_out':
      return `did not answer within ${binding.timeoutMs / 1000} s`
    case 'not_listening':
      return `cannot be reached: nothing answers at ${address}`
    case 'host_unknown':
      return `cannot be reached: ${address} is not found on the network`
    case 'not_trusted':
      return speaksPlainHttp(facts)
        ? `cannot be reached: ${address} does not speak https`
        : `cannot be reached: no trusted connection to ${address}${own}`
    case 'connection_lost':
      return `lost the connection${describeLostConnection(facts)}`
    case 'context_too_long':
      return `does not accept a prompt of this length${formatTokenCounts(facts)}${own}`
    case 'content_refused':
      return `refused the content of the request${own}`
    case 'no_credit':
      return `reports that your account has no credit left${own}`
    case 'key_refused':
      return `refused the key${own}`
    case 'not_allowed':
      return `cannot be used with this key${own}`
    case 'model_not_found':
      return `was not found${own}`
    case 'no_memory':
      return `does not fit into the memory${own}`
    case 'not_the_interface':
      return `cannot be understood: ${address} returned ${facts.isHtml ? 'a web page' : 'something else'} instead of an answer${status === undefined ? '' : ` (${status})`}`
    case 'rate_limited':
      return `limits your requests${until === undefined ? '' : ` and accepts none ${until}`}${own}`
    case 'overloaded':
      return `is overloaded${until === undefined ? '' : ` and accepts no requests ${until}`}${own}`
    default:
      return `failed${until === undefined ? '' : ` and accepts no requests ${until}`}${own}`
  }
}

/** What the user can do about it. */
export function refusalHint(reason: RefusalReason, { binding, facts, until }: Refusal): string {
  const { provider = '', keyVariable } = binding.reach ?? {}
  const key =
    keyVariable === undefined ? 'the API key of this provider' : `the key in ${keyVariable}`
  switch (reason) {
    case 'timed_out':
      return 'The run can be resumed. A faster model, a longer timeoutSeconds for the model in scholium.yaml or a smaller question may help.'
    case 'not_listening':
      return (
        startHints[provider] ??
        'Check that the service is running and reachable, then resume the run.'
      )
    case 'host_unknown':
      return 'Check the address and your network connection, then resume the run.'
    case 'not_trusted':
      return trustHint(facts)
    case 'context_too_long':
      return contextHint(provider)
    case 'content_refused':
      return 'The provider does not allow this text; rephrase the question, omit the source, or use another model.'
    case 'no_credit':
      return `Add credit to the account of ${key}, or use another model; then resume the run.`
    case 'key_refused':
      return `Check ${key}: it is wrong, no longer valid, or belongs to another provider. Then resume the run.`
    case 'not_allowed':
      return `Check the permissions of ${key}: the model, the project or your country may be excluded.`
    case 'model_not_found':
      return notFoundHint(binding)
    case 'no_memory':
      return 'Use a smaller or more strongly quantized model; then resume the run.'
    case 'not_the_interface':
      return 'Check the base URL, which often ends in /v1; a proxy may also require you to log in first.'
    case 'rate_limited':
      return until === undefined
        ? 'The provider limits your requests; resume the run later.'
        : 'Resume the run then, or use another model now.'
    case 'request_refused':
      return 'The provider refused the request; another model may accept it.'
    case 'not_supported':
      return 'Use another model: this one cannot be used this way.'
    default:
      return 'Check that the service is running and reachable, then resume the run.'
  }
}

/** How to start the services that run on the user's own machine. */
const startHints: Readonly<Record<string, string>> = {
  ollama:
    'Start it with: ollama serve. If it runs elsewhere, set OLLAMA_HOST; then resume the run.',
  lmstudio: 'Start its server with: lms server start; then resume the run.',
  vllm: 'Start it with: vllm serve MODEL; then resume the run.',
  llamacpp: 'Start it with: llama-server -m MODEL.gguf; then resume the run.',
}

function notFoundHint({ name, reach }: Refused): string {
  const { provider = '', baseUrl } = reach ?? {}
  const model = name.slice(provider.length + 1)
  if (provider === 'ollama') return `Download it with: ollama pull ${model}; then resume the run.`
  if (provider === 'azure') return 'Use the name of your deployment, as shown in the Azure portal.'
  const list = `List the names with: scholium models ${provider}`
  return baseUrl === undefined
    ? 'Check the name of the model.'
    : `Check the name of the model. ${list}`
}

function contextHint(provider: string): string {
  const general = 'Ask about fewer or shorter sources, or use a model with a larger context window.'
  if (provider === 'ollama')
    return `${general} Ollama's own window is set with OLLAMA_CONTEXT_LENGTH before ollama serve.`
  if (provider === 'llamacpp') return `${general} The server's window is set with -c.`
  if (provider === 'vllm') return `${general} The server's window is set with --max-model-len.`
  return general
}

function trustHint(facts: RefusalFacts): string {
  return speaksPlainHttp(facts)
    ? 'The service speaks plain http there: write http:// in its address.'
    : "If the certificate is your own or your company's, set NODE_EXTRA_CA_CERTS to its file; then resume the run."
}

function speaksPlainHttp({ causes }: RefusalFacts): boolean {
  return causes.has('ERR_SSL_WRONG_VERSION_NUMBER') || causes.has('ERR_SSL_PACKET_LENGTH_TOO_LONG')
}

function formatTokenCounts({ message }: RefusalFacts): string {
  const { askedTokens, allowedTokens } = readTokenCounts(message)
  const asked = askedTokens === undefined ? '' : `${askedTokens} tokens requested`
  const allowed = allowedTokens === undefined ? '' : `${allowedTokens} allowed`
  const both = [asked, allowed].filter((part) => part !== '').join(', ')
  return both === '' ? '' : ` (${both})`
}

/** The packages' own messages are about sockets. */
function describeLostConnection({ causes, message }: RefusalFacts): string {
  if (causes.has('UND_ERR_SOCKET')) return ': the service closed it before the answer was complete'
  if (causes.has('ECONNRESET') || causes.has('EPIPE')) return ': the service closed it'
  return causes.has('ETIMEDOUT') || causes.has('UND_ERR_CONNECT_TIMEOUT')
    ? ': the service did not accept it in time'
    : `: ${message}`
}

function formatAddress({ reach, name }: Refused): string {
  return reach?.baseUrl ?? name
}
