import type { Operations } from './operations.ts'

const tokenKey = `scholium.token ${location.pathname}`

/** What the server says when it refuses or fails. */
export class ApiError extends Error {
  readonly status: number
  readonly hint: string | undefined

  constructor(status: number, message: string, hint?: string) {
    super(message)
    this.status = status
    this.hint = hint
  }
}

let onRefused = () => {}

/** Calls `listener` when the server does not know the token. */
export function whenRefused(listener: () => void): void {
  onRefused = listener
}

/** Whether this tab has a token. */
export function hasToken(): boolean {
  return sessionStorage.getItem(tokenKey) !== null
}

/** Keeps a token in this tab. @param text the token, or an address that ends with it */
export function keepToken(text: string): void {
  sessionStorage.setItem(tokenKey, text.trim().replace(/^.*#token=/s, ''))
}

/** Takes what the address brings (`#token=…`, or a `#code=…` that works once), and removes it from the address bar. */
export async function takeToken(): Promise<void> {
  const [, kind, value = ''] = /^#(token|code)=([\w.~+/=-]+)/.exec(location.hash) ?? []
  if (kind === undefined) return
  history.replaceState(null, '', '#/')
  if (kind === 'token') keepToken(value)
  else if (!hasToken()) {
    const redeemed = await call('POST /api/invitation', { body: { code: value } }).catch(() => null)
    if (redeemed !== null) keepToken(redeemed.token)
  }
}

/** Sends a request with the token. @throws {ApiError} for an answer that is an error */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  const token = sessionStorage.getItem(tokenKey)
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(new URL(path.slice(1), document.baseURI.replace(/[?#].*$/s, '')), {
    ...init,
    headers,
  })
  if (response.ok) return response
  if (response.status === 401) onRefused()
  const { message, hint } = await readError(response)
  throw new ApiError(response.status, message, hint)
}

async function readError(response: Response): Promise<{ message: string; hint?: string }> {
  try {
    return ((await response.json()) as { error: { message: string; hint?: string } }).error
  } catch {
    return { message: `The server answered ${response.status}.` }
  }
}

type Asked<Name extends keyof Operations> = Omit<Operations[Name], 'response'> & {
  readonly signal?: AbortSignal
}

/** Asks the server for one of its operations. @throws {ApiError}, `TypeError` when it cannot be reached */
export async function call<Name extends keyof Operations>(
  name: Name,
  asked: Asked<Name>,
): Promise<Operations[Name]['response']> {
  const [method = '', pattern = ''] = name.split(' ')
  const { path, query, body, signal } = asked as {
    path?: Record<string, string | number>
    query?: Record<string, string | number | undefined>
    body?: unknown
    signal?: AbortSignal
  }
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_, part) =>
    encodeURIComponent(String(path?.[part])),
  )
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
  const response = await send(search === '' ? filled : `${filled}?${search}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(signal && { signal }),
  })
  const type = response.headers.get('content-type') ?? ''
  if (response.status === 204) return undefined as Operations[Name]['response']
  return (
    type.includes('json') && !pattern.endsWith('/references')
      ? await response.json()
      : await response.text()
  ) as Operations[Name]['response']
}

/** What went wrong, for people. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) return [error.message, error.hint].filter(Boolean).join(' ')
  return 'The server does not answer. Is “scholium serve” still running?'
}
