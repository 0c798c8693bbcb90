import { join } from 'node:path'
import { root } from '../launch/ready.js'
import { runUnder } from '../launch/run-under.js'

const modules = join(root, 'node_modules')

const checks = [
  {
    name: 'types',
    args: [join(modules, 'typescript', 'bin', 'tsc'), '--noEmit', '--project', root],
  },
  {
    name: 'types of the page',
    args: [join(modules, 'typescript', 'bin', 'tsc'), '--noEmit', '--project', join(root, 'web')],
  },
  {
    name: 'lint and format',
    args: [
      join(modules, '@biomejs', 'biome', 'bin', 'biome'),
      'check',
      '--error-on-warnings',
      root,
    ],
  },
  { name: 'build', args: [join(root, 'tools', 'build.js')] },
]

/**
 * Runs the checks that read the code without running it, each with its output; all of them run, whatever fails.
 *
 * @returns {Promise<import('./tally.js').Tally>}
 */
export async function runStaticChecks() {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  for (const { name, args } of checks) {
    console.log(`\n${name}`)
    const startedMs = Date.now()
    const exitCode = await runUnder(process.execPath, args)
    const isFine = exitCode === 0
    tally[isFine ? 'passed' : 'failed']++
    const seconds = ((Date.now() - startedMs) / 1_000).toFixed(1)
    console.log(`${name}: ${isFine ? 'passed' : 'FAILED'} (${seconds} s)`)
  }
  return tally
}
