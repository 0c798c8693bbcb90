import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundlePage } from '../../tools/bundle/page.js'
import { withInstallLock } from '../../tools/launch/install-lock.js'
import { root } from '../repo/source-file.ts'

/** Builds the page from its present sources to where servers look for it. */
export async function buildPage(): Promise<void> {
  await withInstallLock(root, async () => {
    const { files } = await bundlePage(root)
    for (const [path, content] of files) {
      const place = join(root, 'dist', path)
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, content)
    }
  })
}
