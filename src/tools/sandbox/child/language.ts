import type { Output } from './output.ts'

/** What the parent asks of one run. */
export interface RunRequest {
  readonly code: string
  /** JSON text of an object whose members the code finds as its variables. */
  readonly inputJson: string
  readonly memoryMb: number
  readonly valueCharacters: number
}

/** An interpreter inside the child, loaded, that runs one code after the other. */
export interface LoadedLanguage {
  /** Whether there was a snapshot from which it could not start. */
  readonly isSnapshotRefused?: boolean
  /** Runs the code and returns what came of it as JSON text: `value`, `error`, `figures`. */
  run(request: RunRequest, output: Output): string
  /** After a run: makes the interpreter as it was before, as far as its language can. */
  renew(): Promise<void>
}

/** Loads an interpreter from the folders of its packages, the main one first, or from the memory of one that was loaded. */
export type LoadLanguage = (
  packageFolders: readonly string[],
  snapshotPath?: string,
) => Promise<LoadedLanguage>

/** What a process needs beside the memory of WebAssembly: Node, the interpreter's code, the heap of JavaScript. */
export const baseMemoryMb = 192
