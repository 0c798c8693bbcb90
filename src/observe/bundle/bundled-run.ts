import type { ByteSource } from './byte-source.ts'
import { BundleContents } from './contents.ts'
import { BundleFault } from './fault.ts'
import { manifestForm, memberNames } from './form.ts'
import { readZip } from './zip-reader.ts'

/** The id of the run that a bundle is of, by its own word; `undefined` for a file that is no whole bundle. */
export function bundledRun(source: ByteSource): string | undefined {
  try {
    return new BundleContents(source, readZip(source)).value(memberNames.manifest, manifestForm)
      .runId
  } catch (error) {
    if (error instanceof BundleFault) return undefined
    throw error
  }
}
