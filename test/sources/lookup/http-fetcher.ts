import type { Fetcher, FetchOutcome, LookupRequest } from '../../../src/sources/lookup/access.ts'

/** How a fetcher of the tests asks. */
export interface HttpSettings {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Asks this address in place of every other. */
  readonly insteadOf?: (url: string) => string
}

const MAX_BYTES = 4_000_000

/** A small fetcher over real HTTP: within its time and size, and once more after a 429 that says when. */
export function httpFetcher(settings: HttpSettings = {}): Fetcher {
  const { timeoutMs = 1_500, insteadOf = (url) => url } = settings
  return async (request) => {
    const time = AbortSignal.timeout(timeoutMs)
    const signal = settings.signal === undefined ? time : AbortSignal.any([time, settings.signal])
    try {
      const first = await once({ ...request, url: insteadOf(request.url) }, signal)
      const waitSeconds = Number((first.ok && first.headers['retry-after']) || 0)
      if (!first.ok || first.status !== 429 || waitSeconds === 0) return first
      await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1_000))
      return await once({ ...request, url: insteadOf(request.url) }, signal)
    } catch (error) {
      return { ok: false, reason: 'network', detail: String(error) }
    }
  }
}

async function once(
  { url, method = 'GET', headers = {}, body, accept = '*/*' }: LookupRequest,
  signal: AbortSignal,
): Promise<FetchOutcome> {
  const sent = body === undefined ? {} : { body }
  const answer = await fetch(url, { method, headers: { accept, ...headers }, signal, ...sent })
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of answer.body ?? []) {
    sizeBytes += chunk.length
    if (sizeBytes > MAX_BYTES) return { ok: false, reason: 'too_large', detail: 'It does not end.' }
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  return { ok: true, status: answer.status, url, headers: Object.fromEntries(answer.headers), text }
}
