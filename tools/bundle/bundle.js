import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, posix, relative, sep } from 'node:path'

/** What `bin/scholium.js` loads. Sources are named by their paths from `src`, with forward slashes and without an ending. */
const launched = ['files/cache-folder', 'cli/main']

/** The scripts of this folder share no chunks with others: under Node's permission model they may read it alone. */
const sandbox = 'tools/sandbox/child/'

/** How a module names a script of ours that it starts in a process or thread of its own. */
const startedScript = /new URL\(\s*`(\.{1,2}\/[\w/-]+)\$\{extname\(import\.meta\.url\)\}`/g

/**
 * A bundle, not written yet.
 *
 * @typedef {object} Bundle
 * @property {Map<string, string | Uint8Array>} files contents by path from `dist`, with forward slashes
 * @property {string[]} modules the paths of what is in it, modules of packages too
 *
 * @typedef {import('rolldown').OutputChunk} Chunk
 */

/**
 * Bundles what the package exports, the command line, and the scripts that they start, each to the path in `dist` that its
 * source has in `src`. The packages that they need are bundled with them, but for those that are looked for at run time.
 *
 * @param {string} root the folder of the checkout
 * @param {{hasSourceMaps?: boolean}} [options] source maps cover the sources, not the packages
 * @returns {Promise<Bundle>}
 * @throws {Error} when a source cannot be parsed, or a package is missing
 */
export async function bundle(root, { hasSourceMaps = false } = {}) {
  /** @type {Set<string>} */
  const alone = new Set()
  const base = { root, alone, sourcemap: hasSourceMaps }
  const chunks = await chunksOf(entryPoints(root), { ...base, codeSplitting: true })
  for (const script of alone) {
    chunks.push(...(await chunksOf([script], { ...base, codeSplitting: false })))
  }
  checkImports(chunks)
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  const files = promptFiles(root)
  addEngine(files, modules)
  for (const { fileName, code, map, moduleIds } of chunks) {
    const isMapped = map !== null && moduleIds.some((id) => id.startsWith(join(root, 'src', sep)))
    files.set(
      fileName,
      isMapped ? `${code}//# sourceMappingURL=${posix.basename(fileName)}.map\n` : code,
    )
    if (isMapped) files.set(`${fileName}.map`, map.toString())
  }
  return { files, modules }
}

/** @param {string} root */
function entryPoints(root) {
  const { exports = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const targets = Object.values(exports).flatMap((entry) => entry.default ?? [])
  return [...targets.map((path) => path.replaceAll(/^\.\/dist\/|\.js$/g, '')), ...launched]
}

/**
 * @param {readonly string[]} entries
 * @param {object} options
 * @param {string} options.root
 * @param {Set<string>} options.alone gets the scripts that are to be bundled alone
 * @param {boolean} options.sourcemap
 * @param {boolean} options.codeSplitting
 * @returns {Promise<Chunk[]>}
 */
async function chunksOf(entries, { root, alone, sourcemap, codeSplitting }) {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, join(root, 'src', `${entry}.ts`)])),
    platform: 'node',
    tsconfig: false,
    preserveEntrySignatures: 'allow-extension',
    plugins: [placesOfSources(root, alone)],
    logLevel: 'silent',
  })
  const { output } = await build.generate({
    entryFileNames: '[name].js',
    // For a .js file Node would look for a package.json that says what it is.
    chunkFileNames: 'chunks/[name]-[hash].mjs',
    codeSplitting,
    comments: { legal: true, annotation: false, jsdoc: false },
    sourcemap: sourcemap && 'hidden',
  })
  await build.close()
  return output.filter((file) => file.type === 'chunk')
}

/**
 * Lets each module find what lies next to it: `import.meta.url` becomes the place in `dist` where the module would be if it
 * had a file of its own. The scripts that are started by such a place become entries.
 *
 * @param {string} root
 * @param {Set<string>} alone
 * @returns {import('rolldown').Plugin}
 */
function placesOfSources(root, alone) {
  const sources = join(root, 'src', sep)
  return {
    name: 'places-of-sources',
    transform: {
      filter: { code: 'import.meta.url' },
      handler(code, id) {
        if (!id.startsWith(sources)) return null
        const place = relative(sources, id).replaceAll(sep, '/').replace(/\.ts$/, '')
        for (const [, name] of code.matchAll(startedScript)) {
          const script = posix.join(place, '..', /** @type {string} */ (name))
          const entry = { id: join(sources, `${script}.ts`), fileName: `${script}.js` }
          if (script.startsWith(sandbox)) alone.add(script)
          else this.emitFile({ type: 'chunk', ...entry })
        }
        return { code: code.replaceAll('import.meta.url', `placeInDist("${place}.js")`), map: null }
      },
    },
    renderChunk(code, { fileName }) {
      if (!code.includes('placeInDist("')) return null
      const url = (/** @type {string} */ place) => {
        const path = posix.relative(posix.dirname(fileName), place)
        return `new URL("${path.startsWith('.') ? path : `./${path}`}", import.meta.url).href`
      }
      return {
        code: code.replaceAll(/placeInDist\("(.+?)"\)/g, (_, place) => url(place)),
        map: null,
      }
    },
  }
}

/**
 * @param {readonly Chunk[]} chunks
 * @throws {Error} when one imports what is neither in the bundle nor a part of Node
 */
function checkImports(chunks) {
  const known = chunks.map(({ fileName }) => fileName)
  const missing = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !known.includes(name) && !isBuiltin(name))
  if (missing.length > 0)
    throw new Error(`These packages are not installed: ${missing.join(', ')}.`)
}

/**
 * The files below `src` that are read while Scholium runs.
 *
 * @param {string} root
 * @returns {Map<string, string | Uint8Array>}
 */
function promptFiles(root) {
  const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  return new Map(
    paths
      .filter((path) => path.endsWith('.md'))
      .map((path) => [path.replaceAll(sep, '/'), readFileSync(join(root, 'src', path), 'utf8')]),
  )
}

/**
 * Adds PDFium's program next to the module of ours that loads it.
 *
 * @param {Map<string, string | Uint8Array>} files
 * @param {readonly string[]} modules the paths of what is bundled
 */
function addEngine(files, modules) {
  const wrapper = modules.find((path) => /[\\/]@hyzyla[\\/]pdfium[\\/]/.test(path))
  if (wrapper === undefined) return
  files.set('sources/files/pdf/pdfium.wasm', readFileSync(join(dirname(wrapper), 'pdfium.wasm')))
}
