import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The page of `scholium serve`, built from `web/`: its files by path from `dist`, and the paths of the modules in it. A checkout
 * without `web/` has none.
 *
 * @param {string} root the folder of the checkout
 * @returns {Promise<import('./bundle.js').Bundle>}
 * @throws {Error} when a source cannot be parsed, or a package is missing
 */
export async function bundlePage(root) {
  if (!existsSync(join(root, 'web'))) return { files: new Map(), modules: [] }
  const { build } = await import('vite')
  const { default: react } = await import('@vitejs/plugin-react')
  const output = await build({
    configFile: false,
    root: join(root, 'web'),
    // The page may lie below any path.
    base: './',
    logLevel: 'warn',
    plugins: [react()],
    resolve: { alias: [plainCharacterNames(root)] },
    build: {
      write: false,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
  const { output: parts } = /** @type {import('rolldown').RolldownOutput} */ (output)
  const files = new Map(
    parts.map((part) => [`web/${part.fileName}`, part.type === 'chunk' ? part.code : part.source]),
  )
  const modules = parts.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  return { files, modules: modules.map((id) => id.replace(/\?.*$/, '')) }
}

/**
 * For browsers the package reads names of characters with `innerHTML`, which the page's policy forbids.
 *
 * @param {string} root
 */
function plainCharacterNames(root) {
  const name = 'decode-named-character-reference'
  return { find: name, replacement: join(root, 'node_modules', name, 'index.js') }
}
