import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { SWIPLModule } from 'swipl-wasm'
import { baseMemoryMb, type LoadedLanguage, type RunRequest } from './language.ts'
import type { Output } from './output.ts'
import { prologRun } from './prolog-run.ts'
import { outOfMemory, type RunError, runText } from './run-text.ts'

const bytesPerMb = 1_048_576
const newline = 10

/**
 * SWI-Prolog. Each run has its own WebAssembly instance, memory and files. The library's bridge to JavaScript is
 * removed: calls to it throw.
 */
export async function loadProlog([packageFolder = '']: readonly string[]): Promise<LoadedLanguage> {
  const start = await createStarter(packageFolder)
  let compiled: Uint8Array | undefined
  const instance = async (isFirst: boolean) => {
    const made = await start()
    const { FS, prolog } = made.swipl
    if (compiled === undefined) {
      FS.writeFile('/run.pl', prologRun)
      prolog.call("consult('/run.pl')")
      // Only useful to a process that continues.
      if (isFirst) return made
      prolog.call("qcompile('/run.pl')")
      compiled = FS.readFile('/run.qlf')
    } else {
      FS.writeFile('/run.qlf', compiled)
      prolog.call("load_files('/run.qlf', [silent(true)])")
    }
    return made
  }
  let fresh = await instance(true)
  return {
    run(request, output) {
      const { swipl, printed } = fresh
      printed.into(output)
      try {
        return ask(swipl, request)
      } catch (error) {
        throw error instanceof Error ? error : new Error('It was halted.')
      } finally {
        printed.flush()
      }
    },
    async renew() {
      fresh = await instance(false)
    },
  }
}

interface Instance {
  readonly swipl: SWIPLModule
  readonly printed: Lines
}

/** Compiles SWI-Prolog and returns a function that starts an instance without reading files. */
async function createStarter(packageFolder: string): Promise<() => Promise<Instance>> {
  const folder = join(packageFolder, 'dist/swipl')
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Wasm }
  const program = await WebAssembly.compile(readFileSync(join(folder, 'swipl-web.wasm')))
  const library = Uint8Array.from(readFileSync(join(folder, 'swipl-web.data'))).buffer
  const load = createRequire(join(packageFolder, 'package.json'))
  const start = load('./dist/swipl/swipl-web.js') as (options: object) => Promise<SWIPLModule>
  // Detecting Node, it would load Node modules for each instance.
  Object.assign(process, { type: 'renderer' })
  return async () => {
    const printed = createLines()
    const swipl = await start({
      arguments: ['-q'],
      getPreloadedPackage: () => library,
      instantiateWasm(imports: object, give: (made: object) => void) {
        void WebAssembly.instantiate(program, imports).then(give)
        return {}
      },
      preRun: [({ FS }: SWIPLModule) => FS.init(() => null, printed.writeByte, printed.writeByte)],
    })
    return { swipl, printed }
  }
}

/** The part of WebAssembly used here. */
interface Wasm {
  compile(program: Uint8Array): Promise<object>
  instantiate(program: object, imports: object): Promise<object>
}

function ask({ prolog }: SWIPLModule, request: RunRequest): string {
  const { memoryMb, valueCharacters } = request
  const stackBytes = Math.floor((memoryMb - baseMemoryMb) / 2) * bytesPerMb
  prolog.call(`set_prolog_flag(stack_limit, ${stackBytes})`)
  const answer = prolog
    .query('sandbox_run(Code, Input, Value, Error)', {
      Code: withEnd(request.code),
      Input: request.inputJson,
    })
    .once() as Answer
  if (typeof answer.Value !== 'string' || typeof answer.Error !== 'string') {
    const message = answer.message ?? 'It ended without an answer.'
    const error = { type: 'exception', message, line: null, traceback: '' }
    return runText('null', error, valueCharacters)
  }
  const error = JSON.parse(answer.Error) as RunError | null
  const isMemory = error?.type === 'MemoryError'
  return runText(answer.Value, isMemory ? outOfMemory(memoryMb, 'Prolog') : error, valueCharacters)
}

interface Answer {
  readonly Value?: unknown
  readonly Error?: unknown
  readonly message?: string
}

/** Adds a full stop the last term may lack. */
function withEnd(code: string): string {
  const last = code
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('%'))
    .at(-1)
  return last === undefined || /\.\s*(?:%.*)?$/.test(last) ? `${code}\n` : `${code}\n.\n`
}

interface Lines {
  writeByte(byte: number | null): void
  into(output: Output): void
  flush(): void
}

/** Collects bytes into lines, so that printed lines survive a kill. */
function createLines(): Lines {
  let bytes: number[] = []
  let target: Output | undefined
  const flush = () => {
    target?.write(Uint8Array.from(bytes))
    bytes = []
  }
  return {
    writeByte(byte) {
      if (byte === null) return flush()
      bytes.push(byte)
      if (byte === newline) flush()
    },
    into(output) {
      bytes = []
      target = output
    },
    flush,
  }
}
