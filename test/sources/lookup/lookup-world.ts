import type {
  Fetcher,
  FetchOutcome,
  LookupAccess,
  LookupRequest,
} from '../../../src/sources/lookup/access.ts'
import type { Recording } from './recordings.ts'

/** An answer as a fetcher gives it. */
export function answered(
  text: string,
  more: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): FetchOutcome {
  const { status = 200, headers = {} } = more
  return { ok: true, status, url: 'https://source.test/', headers, text }
}

/** What a recording answers, whatever is asked. */
export function replays({ text, status }: Pick<Recording, 'text' | 'status'>): Fetcher {
  return async () => answered(text, { status })
}

/** Look-ups over a fetcher of the test, with what it was asked. */
export function lookupsOver(
  answer: FetchOutcome | Fetcher,
  more: Partial<LookupAccess> = {},
): { readonly access: LookupAccess; readonly asked: LookupRequest[] } {
  const asked: LookupRequest[] = []
  const fetcher: Fetcher = async (request) => {
    asked.push(request)
    return typeof answer === 'function' ? answer(request) : answer
  }
  const access: LookupAccess = {
    fetcher,
    userAgent: 'scholium-test/1 (https://example.org)',
    accessed: { 'date-parts': [[2026, 11, 20]] },
    ...more,
  }
  return { access, asked }
}
