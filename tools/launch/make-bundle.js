import { writeDist } from '../bundle/dist.js'
import { isBundleFresh, sourceStamp } from '../bundle/freshness.js'
import { withInstallLock } from './install-lock.js'
import { showProgress } from './progress.js'
import { root } from './ready.js'
import { SetupError } from './setup-error.js'

/**
 * Bundles the sources into `dist`, unless they have not changed since that was done. Of several processes at once one does
 * it, and the others wait.
 *
 * @throws {SetupError} when the sources cannot be bundled
 */
export async function makeBundle() {
  if (isBundleFresh(root)) return
  await withInstallLock(root, async () => {
    if (isBundleFresh(root)) return
    const endProgress = showProgress('bundling the sources')
    try {
      const stamp = sourceStamp(root)
      const { bundle } = await import('../bundle/bundle.js')
      const { bundlePage } = await import('../bundle/page.js')
      const parts = await Promise.all([bundle(root), bundlePage(root)])
      writeDist(root, new Map(parts.flatMap(({ files }) => [...files])), stamp)
      endProgress('done')
    } catch (error) {
      endProgress('failed')
      const reason = error instanceof Error ? error.message : String(error)
      throw new SetupError(`The sources could not be bundled: ${reason}`)
    }
  })
}
