// Creates the snapshot for `sandbox-process.ts`: starts Python and saves its memory. Arguments: Pyodide's folder, the
// output file.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeWhole } from '../../../files/write-whole.ts'
import { encodeSnapshot } from './snapshot-file.ts'
import { startPython } from './start-python.ts'

/** Snapshots of other versions, or incomplete ones. Whoever still uses one this old recreates it in seconds. */
const maxAgeMs = 30 * 24 * 3_600_000

const [packageFolder = '', path = ''] = process.argv.slice(2)
const pyodide = await startPython(packageFolder, { from: 'nothing', forSnapshot: true })
removeOld(dirname(path))
writeWhole(path, encodeSnapshot(pyodide.makeMemorySnapshot()), { flush: true })
process.exit(0)

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (!/^python-[0-9a-f]{16}\.snapshot/.test(name)) continue
    if (statSync(file).mtimeMs < Date.now() - maxAgeMs) rmSync(file, { force: true })
  }
}
