import { writeSync } from 'node:fs'
import { closeDoors } from './close-doors.ts'
import type { LoadLanguage, RunRequest } from './language.ts'
import { createOutput } from './output.ts'

/** The first line from the parent. */
interface Start {
  /** Marks each line of this process; unknown to untrusted code. */
  readonly nonce: string
  readonly language: string
  readonly packageFolders: readonly string[]
  readonly snapshotPath?: string
}

interface RunLine extends RunRequest {
  readonly outputBytes: number
}

const languages: Readonly<Record<string, () => Promise<LoadLanguage>>> = {
  python: async () => (await import('./python-language.ts')).loadPython,
  lua: async () => (await import('./lua-language.ts')).loadLua,
  prolog: async () => (await import('./prolog-language.ts')).loadProlog,
  javascript: async () => (await import('./javascript-language.ts')).loadJavaScript,
}

// Kept, because the process object is cleared for this file too.
const exit = process.exit.bind(process)
const write = writeSync
const encode = new TextEncoder()

// Interpreters log their failures here, which would corrupt the output.
for (const name of Object.keys(console)) Object.assign(console, { [name]: () => {} })
// Hides where this file is.
process.argv.length = 1

const lines = createLineReader(process.stdin)
const { nonce, language, packageFolders, snapshotPath } = (await lines()) as Start
try {
  const load = await languages[language]?.()
  if (load === undefined) throw new Error(`There is no language "${language}" here.`)
  const loaded = await load(packageFolders, snapshotPath)
  if (loaded.isSnapshotRefused === true) send({ type: 'snapshot_refused' })
  closeDoors()
  // It ends with its pipe, or is killed.
  for (;;) {
    send({ type: 'ready' })
    const { outputBytes, ...request } = (await lines()) as RunLine
    const output = createOutput(outputBytes, (text) => send({ type: 'output', text }))
    const result = loaded.run(request, output)
    send({ type: 'done', rest: output.rest(), result })
    await loaded.renew()
  }
} catch (error) {
  send({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
}
exit(0)

/** Reads one line of JSON at a time. Without further lines, the parent is gone and the process ends. */
function createLineReader(input: NodeJS.ReadStream): () => Promise<unknown> {
  let text = ''
  let wake = () => {}
  input.setEncoding('utf8')
  input.on('data', (chunk: string) => {
    text += chunk
    if (chunk.includes('\n')) wake()
  })
  input.on('close', () => exit(0))
  return async () => {
    for (;;) {
      const end = text.indexOf('\n')
      if (end >= 0) {
        const line = text.slice(0, end)
        text = text.slice(end + 1)
        return JSON.parse(line)
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}

/** Written synchronously and completely: untrusted code may block the event loop. */
function send(message: object): void {
  const bytes = encode.encode(`${JSON.stringify({ nonce, ...message })}\n`)
  for (let offset = 0; offset < bytes.length; ) {
    offset += writeSome(bytes.subarray(offset))
  }
}

function writeSome(bytes: Uint8Array): number {
  try {
    return write(1, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    throw error
  }
}
