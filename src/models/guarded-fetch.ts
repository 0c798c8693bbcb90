import { ScholiumError } from '../kernel/errors.ts'

/** Maximum size of a model service's response; the longest streams have about half of it. */
export const maxResponseBytes = 64_000_000

/**
 * `fetch` for model services. It follows no redirects, which would pass the key and the prompt to another host, and reads at most
 * {@link maxResponseBytes}. It waits for the response until the caller's signal ends it.
 * @throws `model_failed` for a redirect; the body's reader gets `model_failed` for a response that is too long
 */
export const guardedFetch: typeof fetch = async (input, init) => {
  // Also loads Node's `fetch`, without which there is no dispatcher yet.
  const url = toUrl(input)
  const response = await fetch(input, { ...init, redirect: 'manual', ...withoutTimeouts() })
  const { status, statusText, headers, body } = response
  if (status >= 300 && status < 400 && status !== 304) {
    await body?.cancel()
    throw isRedirect(response, url)
  }
  if (body === null) return response
  return new Response(body.pipeThrough(byteLimit()), { status, statusText, headers })
}

interface Dispatcher {
  dispatch(options: object, handler: object): boolean
}

/** Where undici, Node's own too, keeps the dispatcher of `fetch`. */
const globalDispatcher = Symbol.for('undici.globalDispatcher.1')

/**
 * Options of `fetch` without Node's own limits of 300 s until the headers, and between two parts of the body. The caller's
 * signal still ends it. Everything else, such as a proxy, is as in any `fetch`.
 * @see https://undici.nodejs.org/#/docs/api/Dispatcher?id=parameter-dispatchoptions
 */
function withoutTimeouts(): RequestInit {
  const usual = (globalThis as { readonly [globalDispatcher]?: Dispatcher })[globalDispatcher]
  if (usual === undefined) return {}
  const dispatch: Dispatcher['dispatch'] = (options, handler) =>
    usual.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)
  return { dispatcher: { dispatch } } as RequestInit
}

function byteLimit(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let sizeBytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > maxResponseBytes) throw tooLong()
      controller.enqueue(chunk)
    },
  })
}

function tooLong(): ScholiumError {
  return new ScholiumError(
    'model_failed',
    `The model service did not stop; its response was cut off after ${maxResponseBytes / 1e6} MB.`,
    { hint: 'Check that the address is that of a model service, or try another model.' },
  )
}

function isRedirect({ status, headers }: Response, from: URL): ScholiumError {
  const location = headers.get('location') ?? ''
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined
  const where = to === undefined ? '' : `, to ${to.origin}${to.pathname}`
  return new ScholiumError(
    'model_failed',
    `The address ${from.origin}${from.pathname} redirects${where} (${status}).`,
    {
      retryable: true,
      hint: 'Nothing was sent there. If the target is right, use its address as the base URL; then resume the run.',
      details: { reason: 'not_the_interface', status },
    },
  )
}

function toUrl(input: Parameters<typeof fetch>[0]): URL {
  return new URL(input instanceof Request ? input.url : input)
}
