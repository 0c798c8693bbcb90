/** Why code failed, as reported to the parent. */
export interface RunError {
  readonly type: string
  readonly message: string
  readonly line: number | null
  readonly traceback: string
}

const maxType = 200
const maxMessage = 2_000
const maxTraceback = 4_000

/** A run's result as text for the parent: a value, given as JSON text, is cut if too long. */
export function runText(valueJson: string, error: RunError | null, limit: number): string {
  const value = valueJson.length <= limit ? valueJson : JSON.stringify(cut(valueJson, limit))
  return `{"value":${value},"error":${JSON.stringify(error && shortened(error))},"figures":[]}`
}

/** The error of a run that ran out of memory. */
export function outOfMemory(memoryMb: number, language: string): RunError {
  const message = `The code may use ${memoryMb} MB with ${language} itself.`
  return { type: 'MemoryError', message, line: null, traceback: '' }
}

function shortened({ type, message, line, traceback }: RunError): RunError {
  return {
    type: cut(type, maxType),
    message: cut(message, maxMessage),
    line,
    traceback: cut(traceback, maxTraceback),
  }
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const half = Math.floor(limit / 2)
  const missing = text.length - 2 * half
  return `${text.slice(0, half)}\n… ${missing} characters cut …\n${text.slice(-half)}`
}
