#!/usr/bin/env node
// Any Node must be able to read this file: no import of newer things before the version is known.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installedOwnNode, isSupportedNode, minimumNode } from './node-version.js'

const args = process.argv.slice(2)

if (args.length === 1 && args[0] === '--version') {
  printVersion()
} else {
  process.once('exit', tellOfNoEnd)
  process.exitCode = isSupportedNode(process.versions.node) ? await runHere() : await runElsewhere()
  process.off('exit', tellOfNoEnd)
  exitWithin(5_000)
}

/**
 * Node ends with 13 when all that a command still waits for has gone away.
 * @param {number} code
 */
function tellOfNoEnd(code) {
  if (code !== 13) return
  process.exitCode = 1
  process.stderr.write(
    'scholium: The command broke off: what it waited for is gone. Please report this.\n',
  )
}

/**
 * What something left open, such as a connection whose other side never ends it, does not keep the process alive. What was printed
 * is written first, however slowly it is read.
 * @param {number} delayMs
 */
function exitWithin(delayMs) {
  const end = () => {
    const isWritten = process.stdout.writableLength + process.stderr.writableLength === 0
    if (isWritten) process.exit()
    exitWithin(delayMs)
  }
  setTimeout(end, delayMs).unref()
}

function printVersion() {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  process.stdout.write(`${JSON.parse(text).version}\n`)
}

async function runHere() {
  hideSqliteWarning()
  const { keepCompiledCode } = await import(await codeAt('files/cache-folder'))
  keepCompiledCode(process.env)
  try {
    const { main } = await import(await codeAt('cli/main'))
    return await main(args)
  } catch (error) {
    const missing = missingPackage(error)
    if (missing === undefined) throw error
    return refuse(`The package ${missing} is not installed.`, 'Run `npm start` once in its folder.')
  }
}

/**
 * A module of the bundle; in a checkout only while it is made from the present sources, else the source itself: an edit counts at
 * once.
 *
 * @param {string} path
 */
async function codeAt(path) {
  const source = new URL(`../src/${path}.ts`, import.meta.url)
  const bundled = new URL(`../dist/${path}.js`, import.meta.url)
  if (!existsSync(source)) return bundled.href
  const { isBundleFresh } = await import('../tools/bundle/freshness.js')
  return (isBundleFresh(fileURLToPath(new URL('..', import.meta.url))) ? bundled : source).href
}

/** Node 22 and 24 print a note that `node:sqlite` is experimental: meant for developers, not for who asks a question. */
function hideSqliteWarning() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')) return
    Reflect.apply(emitWarning, process, [warning, ...rest])
  }
}

async function runElsewhere() {
  const node = installedOwnNode()
  if (node === undefined) {
    return refuse(
      `Scholium needs Node ${minimumNode} or newer; this is ${process.versions.node}.`,
      existsSync(new URL('../tools/start.js', import.meta.url))
        ? 'Run `npm start` once in its folder: it fetches a newer Node for Scholium alone.'
        : 'Install a newer Node from nodejs.org.',
    )
  }
  const { runUnder } = await import('../tools/launch/run-under.js')
  return runUnder(node, process.argv.slice(1))
}

/** @param {unknown} error */
function missingPackage(error) {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code !== 'ERR_MODULE_NOT_FOUND') return undefined
  return /^Cannot find package '([^']+)'/.exec(error.message)?.[1]
}

/**
 * @param {string} problem
 * @param {string} hint
 */
function refuse(problem, hint) {
  process.stderr.write(`scholium: ${problem} ${hint}\n`)
  return 2
}
