import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { evaluatedByProgram } from '../evaluated.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-loading-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What of telemetry is evaluated by a run under this environment. */
async function loadedBy(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const modules = await evaluatedByProgram(`
    import { createApp } from './dist/index.js'
    const app = createApp({ home: ${JSON.stringify(folder)}, environment: ${JSON.stringify(environment)} })
    await app.ask({ question: 'What is caffeine?' })
    await app.close()`)
  const names = modules.flatMap(
    (path) => /(@opentelemetry\/[\w-]+|src\/observe\/otel\/[\w-]+\.ts)/.exec(path)?.[1] ?? [],
  )
  return [...new Set(names)]
}

describe('telemetry', () => {
  it('is not loaded where no collector is named: only what reads the settings', async () => {
    expect(await loadedBy({})).toEqual(['src/observe/otel/destination.ts'])
  })

  it('is loaded where one is', async () => {
    const loaded = await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    expect(loaded).toContain('@opentelemetry/exporter-trace-otlp-http')
  })
})
