// Behind `npm run build`: bundles src/ into dist/ with source maps, and web/ into dist/web/; adds the types of what the package
// exports and the licences of what was bundled, and loads every entry point.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle } from './bundle/bundle.js'
import { declarations } from './bundle/declarations.js'
import { removeOthers, writeDist } from './bundle/dist.js'
import { sourceStamp } from './bundle/freshness.js'
import { licences } from './bundle/licences.js'
import { bundlePage } from './bundle/page.js'
import { withInstallLock } from './launch/install-lock.js'
import { root } from './launch/ready.js'

await withInstallLock(root, async () => {
  const stamp = sourceStamp(root)
  const { files, modules } = await bundle(root, { hasSourceMaps: true })
  const page = await bundlePage(root)
  const all = new Map([...files, ...page.files, ...declarations(root)])
  all.set('THIRD-PARTY-LICENSES.txt', licences(root, [...modules, ...page.modules]))
  writeDist(root, all, stamp)
  removeOthers(root, all)
})
await loadEntryPoints()

async function loadEntryPoints() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const targets = Object.values(exports).flatMap((entry) => entry.default ?? [])
  for (const path of [...targets, './dist/cli/main.js']) {
    await import(pathToFileURL(join(root, path)).href)
  }
}
