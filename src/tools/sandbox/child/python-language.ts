import { constants } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { loadPyodide as LoadPyodide } from 'pyodide'
import type { LoadedLanguage } from './language.ts'
import { PLOT_MODULE } from './python-plot.ts'
import { RUN_MODULE } from './python-run.ts'

type RunCode = (
  code: string,
  inputJson: string,
  valueCharacters: number,
  memoryMb: number,
) => string

/**
 * Python (Pyodide) without its doors to JavaScript: `js` is empty, and neither it nor `pyodide_js` can be imported.
 * @see https://pyodide.org/en/stable/usage/api/js-api.html
 */
export async function loadPython([packageFolder = '']: readonly string[]): Promise<LoadedLanguage> {
  // Pyodide asks it for the flags of open(2), and the permission model refuses the call itself.
  Object.assign(process, { binding: () => ({ fs: constants }) })
  const main = pathToFileURL(join(packageFolder, 'pyodide.mjs')).href
  const { loadPyodide } = (await import(main)) as {
    readonly loadPyodide: typeof LoadPyodide
  }
  const pyodide = await loadPyodide({
    indexURL: packageFolder,
    jsglobals: { __proto__: null },
    // The order of sets and dictionaries of text is the same in every run.
    env: { HOME: '/tmp', PYTHONHASHSEED: '0' },
  })
  pyodide.FS.writeFile('/lib/plot.py', PLOT_MODULE)
  pyodide.FS.writeFile('/lib/scholium_run.py', RUN_MODULE)
  const runCode = pyodide.runPython(
    'import sys; sys.path.append("/lib"); import scholium_run; scholium_run.run',
  ) as RunCode
  const renew = pyodide.runPython('scholium_run.renew') as () => void
  for (const name of ['js', 'pyodide_js']) pyodide.unregisterJsModule(name)
  return {
    run({ code, inputJson, valueCharacters, memoryMb }, output) {
      const write = (bytes: Uint8Array) => {
        output.write(bytes)
        return bytes.length
      }
      // A terminal's streams are written line by line, so that what was printed is there when the code is ended.
      pyodide.setStdout({ write, isatty: true })
      pyodide.setStderr({ write, isatty: true })
      pyodide.setStdin({ stdin: () => null })
      return runCode(code, inputJson, valueCharacters, memoryMb)
    },
    async renew() {
      renew()
    },
  }
}
