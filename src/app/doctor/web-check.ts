import { systemClock } from '../../kernel/run/clock.ts'
import {
  type LookupSourceInfo,
  lookupAddressVariables,
  lookupSources,
} from '../../sources/lookup/sources.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import type { Configuration } from '../config/configuration.ts'
import type { WebServers } from '../web-sources.ts'
import type { Check, Finding } from './finding.ts'

/** Time limit for a source's first response. */
const answerTimeoutMs = 10_000

/**
 * Checks the web sources: which can be used, whether each is reachable, and what was never tried against the live
 * service. Nothing is requested if the web is disabled.
 */
export function webCheck(configuration: Configuration, servers: WebServers = {}): Check {
  const { settings, environment } = configuration
  return {
    name: 'the sources on the web',
    area: 'web',
    async run(signal, tell) {
      if (settings.get('web')?.value !== true) return tell(offFinding)
      for (const name of lookupAddressVariables) {
        const address = environment[name]?.trim() ?? ''
        if (address !== '' && !/^https?:\/\//i.test(address))
          tell({
            ...found('problem', `${name} is not an http address`),
            hint: 'It must start with https://.',
          })
      }
      const { createWebSources } = await import('../web-sources.ts')
      const web = createWebSources(environment, systemClock, servers)
      try {
        const sources = Object.values(lookupSources)
        const findings = await Promise.all(sources.map((source) => lookAt(web, source, signal)))
        for (const finding of findings) tell(finding)
      } finally {
        await web.reader.close()
      }
    },
  }
}

const offFinding: Finding = {
  area: 'web',
  status: 'ok',
  isAbsent: true,
  text: 'off: questions do not use the web',
  hint: 'Enable it for one question with --web, or for all with "web: true" in your own configuration file.',
}

async function lookAt(
  { access, lookups }: WebSources,
  source: LookupSourceInfo,
  signal: AbortSignal,
): Promise<Finding> {
  const { name, title, keyVariable = '', isKeyRequired, baseUrlVariable } = source
  const tried = triedText(source)
  const hasKey = (access.keys?.[keyVariable]?.trim() ?? '') !== ''
  const address = (access.baseUrls?.[name] ?? source.baseUrl)?.replace('{language}', 'en')
  if (isKeyRequired && !hasKey)
    return absent(`${title}: not configured: needs a key in ${keyVariable}${tried}`)
  if (address === undefined)
    return absent(`${title}: not configured: needs an address in ${baseUrlVariable}${tried}`)
  const key = keyVariable === '' ? '' : hasKey ? ', with a key' : ', without a key'
  const outcome = await lookups.fetch(address, { signal, timeoutMs: answerTimeoutMs })
  const { failure = undefined } = outcome.ok ? {} : outcome
  const isThere = failure === undefined || (failure.status !== undefined && failure.status < 500)
  if (isThere) return found('ok', `${title}: reached${key}${tried}`)
  const text = `${title}: unreachable: ${failure.detail.replace(/\.$/, '')}${key}${tried}`
  return { ...found('warning', text), hint: failure.hint }
}

/** Says what has never been seen to work. */
function triedText({ isTriedLive, untried }: LookupSourceInfo): string {
  if (!isTriedLive) return '; never tested against the live service'
  return untried === undefined ? '' : `; never tested against the live service: ${untried}`
}

function absent(text: string): Finding {
  return { ...found('ok', text), isAbsent: true }
}

function found(status: Finding['status'], text: string): Finding {
  return { area: 'web', status, text }
}
