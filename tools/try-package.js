// Behind `node tools/try-package.js`: packs the package, installs it in a folder elsewhere, and uses it there as people do: the
// command line, its readers and sandboxes, and the library from TypeScript 5.9 and 7. Needs the registry that npm is set up
// with. The last line counts.
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { countLine } from './checks/tally.js'
import { makeReady, root } from './launch/ready.js'

const npmLimitMs = 10 * 60_000
const checkLimitMs = 5 * 60_000

/** The oldest zod that a user may have: it has to get on with the newer one in the bundle. */
const oldestZod = '4.1.13'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'scholium-package-'))
const node = await makeReady()
const scholium = join(folder, 'node_modules', 'scholium', 'bin', 'scholium.js')
const tally = { passed: 0, failed: 0, skipped: 0 }

try {
  if (await check('packs and installs', install)) {
    await tryCommandLine()
    await tryTypes()
    await tryLibrary()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(countLine(tally))
process.exitCode = tally.failed === 0 ? 0 : 1

async function install() {
  const packed = await npm(root, 'pack', '--json', '--pack-destination', folder)
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(
    packed.slice(packed.indexOf('[\n')),
  )
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const own = manifest.devDependencies
  const [added = ''] =
    /added \d+ packages/.exec(await npm(folder, 'install', join(folder, filename))) ?? []
  const mb = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  console.log(
    `  ${entryCount} files, ${mb(size)} packed, ${mb(unpackedSize)} unpacked; ${added}, ${mb(sizeOf(join(folder, 'node_modules')))}`,
  )
  await npm(
    folder,
    'install',
    `zod@${oldestZod}`,
    `fflate@${own.fflate}`,
    `@types/node@${own['@types/node']}`,
    'typescript-5@npm:typescript@5.9.3',
    `typescript-7@npm:typescript@${own.typescript}`,
  )
}

async function tryCommandLine() {
  const samples = join(folder, 'node_modules', 'scholium', 'samples', 'library')
  const agents = join(folder, 'node_modules', 'scholium', 'agents')
  await check('--version', async () => contains(await command('--version'), manifest.version))
  await check('ask', async () => {
    const { status, citations } = JSON.parse(await command('ask', 'What is caffeine?', '--json'))
    equals([status, citations[0].title], ['answered', 'Caffeine'])
  })
  await check('replay', async () => contains(await command('replay', 'last'), 'identical'))
  await check('references in a CSL style, by citeproc', async () => {
    contains(await command('references', 'last', '--style', 'ieee'), '[1]')
  })
  await check('references as BibTeX, and from it', async () => {
    writeFileSync(
      join(folder, 'own.bib'),
      await command('references', 'last', '--format', 'bibtex'),
    )
    contains(await command('references', 'own.bib', '--style', 'chicago'), 'Caffeine')
  })
  await check('export and verify', async () => {
    await command('export', 'last', 'answer.scholium')
    contains(await command('verify', 'answer.scholium'), 'integrity')
  })
  await check('papers', async () => {
    const { status, papers } = JSON.parse(
      await command('papers', 'CRISPR', '--source', samples, '--json'),
    )
    equals([status, papers.length], ['answered', 5])
  })
  await check('run, with Prolog and Lua', async () => {
    contains(await command('run', join(agents, 'logic-puzzle.yaml')), '= 10')
  })
  await check('run, with Python', async () => {
    contains(await command('run', join(agents, 'data-report.yaml')), 'Gentoo')
  })
  await check('doctor: readers in their process, the home in a process, Python', async () => {
    contains(await command('doctor'), 'Everything works')
  })
  await check('config init and its schema', async () => {
    await command('config', 'init')
    contains(await command('config', 'schema'), '$schema')
  })
}

/** The examples import the sources in this checkout; elsewhere they import the package. */
async function tryTypes() {
  const examples = join(folder, 'examples')
  cpSync(join(root, 'examples'), examples, { recursive: true })
  cpSync(join(root, 'tools', 'try-package'), examples, { recursive: true })
  for (const path of readdirSync(examples, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue
    const text = readFileSync(join(examples, path), 'utf8')
    const place = /'(?:\.\.\/)+src\/(?:(\w+)\/)?(?:index|(citations))\.ts'/g
    const toPackage = (/** @type {(string | undefined)[]} */ ...[, part, file]) =>
      `'${['scholium', part ?? file ?? []].flat().join('/')}'`
    writeFileSync(join(examples, path), text.replaceAll(place, toPackage))
  }
  cpSync(join(root, 'agents'), join(folder, 'agents'), { recursive: true })
  for (const compiler of ['typescript-5', 'typescript-7']) {
    for (const resolution of ['nodenext', 'bundler']) {
      await check(`types: ${compiler}, ${resolution}`, () => compile(compiler, resolution))
    }
  }
}

/**
 * @param {string} compiler
 * @param {string} resolution
 */
async function compile(compiler, resolution) {
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'esnext'],
    module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
    moduleResolution: resolution,
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: false,
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['examples'] }),
  )
  await run(join(folder, 'node_modules', compiler, 'bin', 'tsc'), '--project', folder)
}

async function tryLibrary() {
  const examples = join(folder, 'examples')
  const programs = readdirSync(examples).filter((name) => name.endsWith('.ts'))
  for (const name of programs) await check(name, () => run(join(examples, name)))
}

/** @param {string[]} args */
function command(...args) {
  return run(scholium, ...args)
}

/**
 * Runs a script in the folder elsewhere; gives what it prints.
 *
 * @param {string[]} args
 */
async function run(...args) {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir(), SCHOLIUM_HOME: home }
  const options = { cwd: folder, env, timeout: checkLimitMs, maxBuffer: 100e6 }
  return (await promisify(execFile)(node, args, options)).stdout
}

/**
 * @param {string} cwd
 * @param {string[]} args
 */
async function npm(cwd, ...args) {
  const options = {
    cwd,
    timeout: npmLimitMs,
    maxBuffer: 100e6,
    shell: process.platform === 'win32',
  }
  return (
    await promisify(execFile)('npm', [...args, '--no-audit', '--no-fund', '--save-exact'], options)
  ).stdout
}

/**
 * Says whether a check holds, and how long it took.
 *
 * @param {string} name
 * @param {() => Promise<unknown>} work
 */
async function check(name, work) {
  const startedMs = Date.now()
  const problem = await work().then(
    () => undefined,
    (error) => [error.message, error.stdout].join('\n').trim(),
  )
  tally[problem === undefined ? 'passed' : 'failed']++
  const seconds = ((Date.now() - startedMs) / 1_000).toFixed(1)
  console.log(problem === undefined ? `✓ ${name} (${seconds} s)` : `✗ ${name}: ${problem}`)
  return problem === undefined
}

/**
 * @param {string} text
 * @param {string} part
 */
function contains(text, part) {
  if (!text.includes(part)) throw new Error(`"${part}" is not in: ${text}`)
}

/**
 * @param {readonly unknown[]} found
 * @param {readonly unknown[]} expected
 */
function equals(found, expected) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${one} instead of ${other}`)
}

/**
 * The bytes of all files below a folder.
 *
 * @param {string} path
 */
function sizeOf(path) {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(path, name), { throwIfNoEntry: false }))
    .reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0)
}
