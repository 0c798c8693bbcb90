import type { Output } from './output.ts'

/** The parent's request for one run. */
export interface RunRequest {
  readonly code: string
  /** JSON text of an object whose members become variables of the code. */
  readonly inputJson: string
  readonly memoryMb: number
  readonly valueCharacters: number
}

/** A loaded interpreter in the child, which runs one piece of code after another. */
export interface LoadedLanguage {
  /** Whether starting from an existing snapshot failed. */
  readonly isSnapshotRefused?: boolean
  /** Runs code and returns the result as JSON text: `value`, `error`, `figures`. */
  run(request: RunRequest, output: Output): string
  /** Resets the interpreter after a run, as far as the language allows. */
  renew(): Promise<void>
}

/** Loads an interpreter from its package folders, the main one first, or from a memory snapshot. */
export type LoadLanguage = (
  packageFolders: readonly string[],
  snapshotPath?: string,
) => Promise<LoadedLanguage>

/** A process's memory in addition to WebAssembly's: Node, the interpreter's code, the JavaScript heap. */
export const baseMemoryMb = 192
