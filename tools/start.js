// Behind `npm start`: makes this checkout ready, then runs the command line with the arguments after `--`.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeBundle } from './launch/make-bundle.js'
import { makeReady } from './launch/ready.js'
import { runUnder } from './launch/run-under.js'
import { exitCodeOf } from './launch/setup-error.js'

const command = new URL('../bin/scholium.js', import.meta.url)
const given = process.argv.slice(2)

endWithNpm()
process.exitCode = await exitCodeOf(async () => {
  const node = await makeReady()
  if (node !== process.execPath) return runUnder(node, [fileURLToPath(import.meta.url), ...given])
  await makeBundle()
  goWhereNpmWasCalled()
  const args = given.length === 0 ? ['start'] : given
  process.argv.splice(1, process.argv.length, fileURLToPath(command), ...args)
  await import(command.href)
  return Number(process.exitCode ?? 0)
})

/** npm runs scripts in the folder of the package; paths count from where the person stands. */
function goWhereNpmWasCalled() {
  const { npm_lifecycle_event: script, npm_package_name: name, INIT_CWD: folder } = process.env
  if (script !== 'start' || name !== 'scholium' || folder === undefined) return
  if (existsSync(folder)) process.chdir(folder)
}

/** npm passes SIGTERM to its shell only. When that has ended, this process ends as if the signal had reached it. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  timer.unref()
}
