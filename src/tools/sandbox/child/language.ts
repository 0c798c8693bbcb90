import type { Output } from './output.ts'

/** What the parent asks of one run. */
export interface RunRequest {
  readonly code: string
  readonly memoryMb: number
  readonly valueCharacters: number
}

/** An interpreter inside the child, loaded, that runs code once. */
export interface LoadedLanguage {
  /** Runs the code and returns what came of it as JSON text: `value`, `error`, `figures`. */
  run(request: RunRequest, output: Output): string
}

/** Loads an interpreter from the folder of its package. */
export type LoadLanguage = (packageFolder: string) => Promise<LoadedLanguage>
