import { isBundleFresh } from '../tools/bundle/freshness.js'
import { root } from '../tools/launch/ready.js'

/** A module of the library as it is installed: of the bundle if it is up to date (`run.ts` makes it), otherwise of the sources. */
export function libraryUrl(module = 'index'): string {
  const path = isBundleFresh(root) ? `../dist/${module}.js` : `../src/${module}.ts`
  return new URL(path, import.meta.url).href
}
