// Spans of a run, sent to a collector.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/index.ts'

const paths: (string | undefined)[] = []
const collector = createServer((request, response) => {
  paths.push(request.url)
  request.resume().on('end', () => response.end('{}'))
})
collector.listen(0, '127.0.0.1')
await once(collector, 'listening')
const { port } = collector.address() as AddressInfo
const home = mkdtempSync(join(tmpdir(), 'scholium-'))
const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
const app = createApp({ home, environment })
try {
  await app.ask({ question: 'What is caffeine?' })
} finally {
  await app.close()
  collector.close()
  rmSync(home, { recursive: true })
}
console.log(paths)
assert.ok(paths.includes('/v1/traces'))
