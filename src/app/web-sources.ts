import type { Clock } from '../kernel/run/clock.ts'
import {
  createDocumentReader,
  type DocumentReader,
} from '../sources/files/worker/document-reader.ts'
import type { LookupAccess } from '../sources/lookup/access.ts'
import {
  type LookupSourceName,
  lookupKeyVariables,
  lookupSources,
} from '../sources/lookup/sources.ts'
import { createCoolDowns } from '../sources/web/cool-downs.ts'
import { type FetchFailure, fetchFailed, shownUrl } from '../sources/web/fetch-failure.ts'
import type { Pace } from '../sources/web/pace.ts'
import { createWeb, type Web } from '../sources/web/web.ts'
import type { WebSources } from '../tools/web/web-sources.ts'
import type { Environment } from './trust/user-folders.ts'
import { packageVersion } from './version.ts'

/** Other servers than the usual ones: mirrors, and the servers of tests. */
export interface WebServers {
  /** In place of a source's own address. */
  readonly baseUrls?: NonNullable<LookupAccess['baseUrls']>
  /** Origins that may be asked and read wherever they are, such as `http://127.0.0.1:8080`. */
  readonly allowedOrigins?: readonly string[]
}

/** The variable with an e-mail address that sources may write to. */
const contactVariable = 'SCHOLIUM_CONTACT'

/** The way to the web of a process, as its environment sets it up. Nothing is asked by making it. */
export function createWebSources(
  environment: Environment,
  clock: Clock,
  {
    baseUrls: given = {},
    allowedOrigins: trusted = [],
    reader = createDocumentReader(),
  }: WebServers & { readonly reader?: DocumentReader } = {},
): WebSources {
  const own = ownServers(environment)
  const baseUrls = { ...own, ...given }
  const contact = (environment[contactVariable] ?? '').trim()
  const userAgent = `scholium/${packageVersion}${contact === '' ? '' : ` (mailto:${contact})`}`
  const shared = {
    clock,
    random: Math.random,
    userAgent,
    coolDowns: createCoolDowns({ clock }),
  }
  const ownOrigins = Object.values(own).map((address) => new URL(address).origin)
  const lookupOrigins = [...trusted, ...ownOrigins]
  return {
    pages: createWeb({ ...shared, allowedOrigins: trusted }),
    lookups: createWeb({ ...shared, allowedOrigins: lookupOrigins, paces: readPaces(baseUrls) }),
    access: {
      userAgent,
      baseUrls,
      keys: Object.fromEntries(lookupKeyVariables.map((name) => [name, environment[name]])),
      ...(contact === '' ? {} : { contact }),
    },
    clock,
    reader,
  }
}

/** The same sources without a way to them: each request fails and says why. */
export function closedWebSources(sources: WebSources): WebSources {
  const refusalOf = (address: string): FetchFailure => ({
    reason: 'not_granted',
    url: shownUrl(address),
    detail: 'Web access is not granted.',
    hint: 'Grant it: --web (web: true).',
  })
  const closed: Web = { fetch: async (address) => fetchFailed(refusalOf(address)), refusalOf }
  return { ...sources, pages: closed, lookups: closed }
}

/** The operator's own servers, as far as they are addresses. */
function ownServers(environment: Environment): NonNullable<LookupAccess['baseUrls']> {
  return Object.fromEntries(
    Object.values(lookupSources).flatMap(({ name, baseUrlVariable = '' }) => {
      const address = (environment[baseUrlVariable] ?? '').trim()
      return /^https?:\/\//i.test(address) && URL.canParse(address) ? [[name, address]] : []
    }),
  )
}

/** Each service's own pace, by its host. One at a time where it asks for a distance. */
function readPaces(
  baseUrls: NonNullable<LookupAccess['baseUrls']>,
): Readonly<Record<string, Pace>> {
  const sources = Object.values(lookupSources)
  const paced = sources.flatMap(({ name, baseUrl, intervalMs }) => {
    const address = baseUrls[name as LookupSourceName] ?? baseUrl ?? ''
    if (intervalMs === 0 || !URL.canParse(address)) return []
    return [[new URL(address).host, { atOnce: 1, gapMs: intervalMs }] as const]
  })
  return Object.fromEntries(paced)
}
