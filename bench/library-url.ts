import { isBundleFresh } from '../tools/bundle/freshness.js'
import { root } from '../tools/launch/ready.js'

/** The module of the library as it is installed: the bundle if it is up to date (`run.ts` makes it), otherwise the sources. */
export function libraryUrl(): string {
  return new URL(isBundleFresh(root) ? '../dist/index.js' : '../src/index.ts', import.meta.url).href
}
