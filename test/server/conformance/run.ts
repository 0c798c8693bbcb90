import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { serveFixtures } from './serve.ts'

// Runs the official conformance suite of the Model Context Protocol, which it gets from the npm registry, against Scholium's MCP
// server over HTTP. Exit code: 0 if each scenario that a revision requires passes, but for those below.

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12'

/** By revision, what fails and why: over HTTP there are no sessions, so the server asks and tells a client of 2025 nothing by itself. */
const expected: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [],
  '2025-11-25': [
    'logging-set-level',
    'tools-call-with-logging',
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
}

/** The scenarios that a revision requires, by whether they passed. */
async function run(url: string, revision: string) {
  const command = ['exec', '--yes', `--package=${suite}`, '--', 'conformance', 'server']
  const child = spawn('npm', [...command, '--url', url, '--requirements', revision], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [, summary = '', notScored = ''] = (await text(child.stdout)).split(
    /=== SUMMARY ===|Not scored for /,
  )
  const optional = new Set([...notScored.matchAll(/[✓✗] ([\w-]+) \(/g)].map(([, name]) => name))
  const results = [...summary.matchAll(/([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/g)]
    .map(([, sign, name = '', passed, failed]) => {
      return {
        isPassed: sign === '✓',
        name,
        checks: Number(passed),
        all: Number(passed) + Number(failed),
      }
    })
    .filter(({ name }) => !optional.has(name))
  return {
    results,
    failed: results.filter(({ isPassed }) => !isPassed).map(({ name }) => name),
  }
}

const served = await serveFixtures()
for (const [revision, known] of Object.entries(expected)) {
  const { results, failed } = await run(served.url, revision)
  const sum = (name: 'checks' | 'all') => results.reduce((total, one) => total + one[name], 0)
  const passed = results.length - failed.length
  console.log(
    `${revision}: ${passed} of ${results.length} scenarios, ${sum('checks')} of ${sum('all')} checks`,
  )
  if (results.length > 0 && failed.toString() === known.toString()) continue
  console.log(
    `Expected to fail: ${known.join(', ') || 'none'}. Failed: ${failed.join(', ') || 'none'}.`,
  )
  process.exitCode = 1
}
await served.close()
