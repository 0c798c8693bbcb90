import { constants } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { loadPyodide as LoadPyodide, PyodideAPI } from 'pyodide'
import { plotModule } from './python-plot.ts'
import { runModule } from './python-run.ts'

/** How Python is started: as new, from the memory of one that has started, or so that its memory can be kept. */
export type PythonStart =
  | { readonly from: 'nothing' }
  | { readonly from: 'snapshot'; readonly snapshot: Uint8Array }
  | { readonly from: 'nothing'; readonly forSnapshot: true }

/** Python (Pyodide) with the module `scholium_run` imported. @see https://pyodide.org/en/stable/usage/api/js-api.html */
export async function startPython(packageFolder: string, start: PythonStart): Promise<PyodideAPI> {
  // Pyodide asks it for the flags of open(2), and the permission model refuses the call itself.
  Object.assign(process, { binding: () => ({ fs: constants }) })
  const main = pathToFileURL(join(packageFolder, 'pyodide.mjs')).href
  const { loadPyodide } = (await import(main)) as { readonly loadPyodide: typeof LoadPyodide }
  const pyodide = await loadPyodide({
    indexURL: packageFolder,
    jsglobals: { __proto__: null },
    // The order of sets and dictionaries of text is the same in every run.
    env: { HOME: '/tmp', PYTHONHASHSEED: '0' },
    ...(start.from === 'snapshot' ? { _loadSnapshot: start.snapshot } : {}),
    ...('forSnapshot' in start ? { _makeSnapshot: true } : {}),
  })
  // Files are no part of the memory; what was imported is.
  pyodide.FS.writeFile('/lib/plot.py', plotModule)
  pyodide.FS.writeFile('/lib/scholium_run.py', runModule)
  if (start.from === 'nothing') {
    pyodide.runPython('import sys; sys.path.append("/lib"); import scholium_run')
  } else {
    // It looks for Node's source of chance at first use: before the doors close.
    pyodide.runPython('import os; os.urandom(1)')
  }
  return pyodide
}
