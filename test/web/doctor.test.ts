import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { examine, readConfiguration } from '../../src/app.ts'
import { type Service, startService } from './services.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-web-doctor-'))
const services: Service[] = []
afterAll(async () => {
  for (const service of services) await service.close()
  rmSync(folder, { recursive: true })
})

/** What doctor says of the web, with every source at one server that answers as told. */
async function look(environment: Readonly<Record<string, string>>, status = 404) {
  const service = await startService(() => ({ status, body: 'nothing here' }))
  services.push(service)
  const names = [
    'tavily',
    'brave',
    'serper',
    'duckduckgo',
    'wikipedia',
    'youtube',
    'arxiv',
  ] as const
  const others = ['semantic-scholar', 'crossref', 'openalex'] as const
  const baseUrls = Object.fromEntries([...names, ...others].map((name) => [name, service.origin]))
  const configuration = await readConfiguration({
    environment: {
      SCHOLIUM_HOME: join(folder, 'home'),
      SCHOLIUM_PYTHON: 'false',
      HOME: folder,
      ...environment,
    },
    folder,
  })
  const webServers = { baseUrls, allowedOrigins: [service.origin] }
  const { findings } = await examine(configuration, { webServers })
  const own = findings.filter(({ area }) => area === 'web')
  return { service, told: own.map(({ status: health, text }) => `${health} ${text}`) }
}

describe('doctor', () => {
  it('asks nobody where the web is off, and says that it is', async () => {
    const { service, told } = await look({})
    expect(told).toEqual(['ok off: questions do not use the web'])
    expect(service.requests).toEqual([])
  })

  it('tells of each source whether it is reached, its key, and what was never tried', async () => {
    const { told } = await look({ SCHOLIUM_WEB: '1', TAVILY_API_KEY: 'tvly-key-of-mine' })
    expect(told).toHaveLength(11)
    expect(told.slice(0, 3)).toEqual([
      'ok Tavily: reached, with a key; never tested against the live service: its failures',
      'ok SearXNG: not configured: needs an address in SEARXNG_URL; never tested against the live service',
      'ok Brave Search: not configured: needs a key in BRAVE_SEARCH_API_KEY; never tested against the live service',
    ])
    expect(told).toContain('ok arXiv: reached')
    expect(told.join()).not.toContain('tvly-key')
  })

  it('warns of a source that is down, and refuses an address that is none', async () => {
    const { told } = await look({ SCHOLIUM_WEB: 'true', SEARXNG_URL: 'searx.local' }, 500)
    expect(told).toContain('problem SEARXNG_URL is not an http address')
    expect(told.find((line) => line.includes('arXiv'))).toMatch(/^warning arXiv: unreachable: /)
  }, 60_000)
})
