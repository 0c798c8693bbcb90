import { constants } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { loadPyodide as LoadPyodide, PyodideAPI } from 'pyodide'
import { plotModule } from './python-plot.ts'
import { runModule } from './python-run.ts'

/** How Python is started: fresh, from a snapshot, or so that its memory can be saved. */
export type PythonStart =
  | { readonly from: 'nothing' }
  | { readonly from: 'snapshot'; readonly snapshot: Uint8Array }
  | { readonly from: 'nothing'; readonly forSnapshot: true }

/**
 * Python (Pyodide) with the module `scholium_run` imported.
 * @see https://pyodide.org/en/stable/usage/api/js-api.html
 */
export async function startPython(packageFolder: string, start: PythonStart): Promise<PyodideAPI> {
  // Pyodide asks for the flags of open(2); the permission model refuses the real call.
  Object.assign(process, { binding: () => ({ fs: constants }) })
  const main = pathToFileURL(join(packageFolder, 'pyodide.mjs')).href
  const { loadPyodide } = (await import(main)) as { readonly loadPyodide: typeof LoadPyodide }
  const pyodide = await loadPyodide({
    indexURL: packageFolder,
    jsglobals: { __proto__: null },
    // Makes the order of sets and dictionaries of text reproducible.
    env: { HOME: '/tmp', PYTHONHASHSEED: '0' },
    ...(start.from === 'snapshot' ? { _loadSnapshot: start.snapshot } : {}),
    ...('forSnapshot' in start ? { _makeSnapshot: true } : {}),
  })
  // Files are not part of the memory; imported modules are.
  pyodide.FS.writeFile('/lib/plot.py', plotModule)
  pyodide.FS.writeFile('/lib/scholium_run.py', runModule)
  if (start.from === 'nothing') {
    pyodide.runPython('import sys; sys.path.append("/lib"); import scholium_run')
  } else {
    // Python looks for Node's random source on first use, so use it before access is removed.
    pyodide.runPython('import os; os.urandom(1)')
  }
  return pyodide
}
