import type { PyodideAPI } from 'pyodide'
import type { LoadedLanguage } from './language.ts'
import { readSnapshot } from './snapshot-file.ts'
import { startPython } from './start-python.ts'

type RunCode = (
  code: string,
  inputJson: string,
  valueCharacters: number,
  memoryMb: number,
) => string

/** Python without access to JavaScript: `js` is empty, and neither it nor `pyodide_js` can be imported. */
export async function loadPython(
  [packageFolder = '']: readonly string[],
  snapshotPath?: string,
): Promise<LoadedLanguage> {
  const kept = snapshotPath === undefined ? undefined : await startFrom(snapshotPath, packageFolder)
  const pyodide = kept ?? (await startPython(packageFolder, { from: 'nothing' }))
  const runCode = pyodide.runPython('scholium_run.run') as RunCode
  const renew = pyodide.runPython('scholium_run.renew') as () => void
  for (const name of ['js', 'pyodide_js']) pyodide.unregisterJsModule(name)
  return {
    isSnapshotRefused: snapshotPath !== undefined && kept === undefined,
    run({ code, inputJson, valueCharacters, memoryMb }, output) {
      const write = (bytes: Uint8Array) => {
        output.write(bytes)
        return bytes.length
      }
      // A terminal's streams are line-buffered, so that printed lines survive a kill.
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

/** `undefined` if the snapshot is damaged, missing or rejected. */
async function startFrom(path: string, packageFolder: string): Promise<PyodideAPI | undefined> {
  const snapshot = readSnapshot(path)
  if (snapshot === undefined) return undefined
  try {
    return await startPython(packageFolder, { from: 'snapshot', snapshot })
  } catch {
    return undefined
  }
}
