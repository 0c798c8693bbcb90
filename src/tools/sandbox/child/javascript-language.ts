import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSSyncVariant,
  newQuickJSWASMModuleFromVariant as StartQuickJs,
} from 'quickjs-emscripten'
import { javascriptSetup } from './javascript-run.ts'
import { baseMemoryMb, type LoadedLanguage, type RunRequest } from './language.ts'
import type { Output } from './output.ts'
import { outOfMemory, type RunError, runText } from './run-text.ts'

/** Usually within Node's own stack; deeper recursion ends the process. */
const maxStackBytes = 256 * 1_024
const bytesPerMb = 1_048_576
/** WebAssembly memory that QuickJS must leave free, because it holds more than QuickJS counts. */
const spareMb = 32

/**
 * JavaScript in QuickJS: a separate interpreter without modules, timers or host functions other than printing. Each run
 * has its own heap.
 */
export async function loadJavaScript(packageFolders: readonly string[]): Promise<LoadedLanguage> {
  const [, coreFolder = '', variantFolder = ''] = packageFolders
  const { newQuickJSWASMModuleFromVariant } = (await importFrom(coreFolder)) as {
    readonly newQuickJSWASMModuleFromVariant: typeof StartQuickJs
  }
  const { default: variant } = (await importFrom(variantFolder)) as {
    readonly default: QuickJSSyncVariant
  }
  const quickJs = await newQuickJSWASMModuleFromVariant(variant)
  const used: { dispose(): void }[] = []
  return {
    run(request, output) {
      const runtime = quickJs.newRuntime()
      runtime.setMemoryLimit((request.memoryMb - baseMemoryMb - spareMb) * bytesPerMb)
      runtime.setMaxStackSize(maxStackBytes)
      const context = runtime.newContext()
      used.push(context, runtime)
      const { value, error } = readOutcome({ context, used }, request, output)
      return runText(value, error, request.valueCharacters)
    },
    async renew() {
      for (const part of used.splice(0)) part.dispose()
    },
  }
}

function importFrom(packageFolder: string): Promise<unknown> {
  return import(pathToFileURL(join(packageFolder, 'dist/index.mjs')).href)
}

interface Running {
  readonly context: QuickJSContext
  /** Handles to dispose of after the run, in this order. */
  readonly used: { dispose(): void }[]
}

interface Outcome {
  readonly value: string
  readonly error: RunError | null
}

/** A created handle, or the exception in its place. */
type Made = { readonly value: QuickJSHandle } | { readonly error: QuickJSHandle }

function readOutcome(running: Running, request: RunRequest, output: Output): Outcome {
  const { context } = running
  const fail = (error: RunError): Outcome => ({ value: 'null', error })
  const tell = setUp(running, request.inputJson, output)
  if (tell === undefined) return fail(outOfMemory(request.memoryMb, 'JavaScript'))
  const ended = settled(running, evaluated(running, request.code))
  if (ended === 'pending') return fail(neverSettled)
  const isGood = 'value' in ended
  const handle = isGood ? ended.value : ended.error
  const told = kept(
    running,
    context.callFunction(isGood ? tell.value : tell.error, context.undefined, handle),
  )
  if ('error' in told) return fail(outOfMemory(request.memoryMb, 'JavaScript'))
  const json = context.getString(told.value)
  if (json === '') return fail(circular)
  if (json.startsWith('!')) return fail({ ...noJson, message: json.slice(1) })
  if (isGood) return isTooDeep(json) ? fail(tooDeep) : { value: json, error: null }
  const error = JSON.parse(json) as RunError
  const isMemory = error.type === 'InternalError' && error.message === 'out of memory'
  return fail(isMemory ? outOfMemory(request.memoryMb, 'JavaScript') : error)
}

/** Maximum nesting of values, which are read recursively. */
const maxDepth = 1_000

const tooDeep: RunError = {
  type: 'RecursionError',
  message: 'What the code gives is nested deeper than 1,000 values in one another.',
  line: null,
  traceback: '',
}

/** Same message as Python's for a node's result. */
const noJson: RunError = { type: 'StateError', message: '', line: null, traceback: '' }

const circular: RunError = {
  type: 'TypeError',
  message: 'What the code gives holds itself, which JSON cannot carry.',
  line: null,
  traceback: '',
}

/** Whether JSON text is nested too deeply; brackets in strings do not count. */
function isTooDeep(json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (sign === '"') at = endOfText(json, at)
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth > maxDepth) return true
  }
  return false
}

/** The closing quotation mark of a JSON string. */
function endOfText(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

const neverSettled: RunError = {
  type: 'Error',
  message: 'The code awaits something that never happens.',
  line: null,
  traceback: '',
}

/** Prepares the globals; returns the functions that serialise a value and an error, or nothing if out of memory. */
function setUp(running: Running, inputJson: string, output: Output) {
  const { context } = running
  const encoder = new TextEncoder()
  const write = context.newFunction('write', (text) => {
    output.write(encoder.encode(context.getString(text)))
  })
  const input = context.newString(inputJson)
  running.used.unshift(write, input)
  const prepare = kept(running, context.evalCode(javascriptSetup, '<sandbox>'))
  if ('error' in prepare) return undefined
  const made = kept(running, context.callFunction(prepare.value, context.undefined, write, input))
  if ('error' in made) return undefined
  const [value, error] = ['value', 'error'].map((name) => context.getProp(made.value, name))
  if (value === undefined || error === undefined) return undefined
  running.used.unshift(value, error)
  return { value, error }
}

/** Code is a script whose value is its last expression; with a top-level `return` or `await`, a function body. */
function evaluated(running: Running, code: string): Made {
  const { context } = running
  const asBody = `(async () => {${code}\n})()`
  const check = (text: string) =>
    kept(running, context.evalCode(text, '<code>', { type: 'global', compileOnly: true }))
  const script = check(code)
  if ('value' in script) return kept(running, context.evalCode(code, '<code>', { type: 'global' }))
  if (!/\b(?:return|await)\b/.test(code)) return script
  const body = check(asBody)
  if ('error' in body) return body
  return kept(running, context.evalCode(asBody, '<code>', { type: 'global' }))
}

/** Runs pending jobs and returns a promise's result. */
function settled(running: Running, made: Made): Made | 'pending' {
  const { context } = running
  if ('error' in made) return made
  const jobs = context.runtime.executePendingJobs()
  if (jobs.error !== undefined) return kept(running, { error: jobs.error })
  const state = context.getPromiseState(made.value)
  if (state.type === 'pending') return 'pending'
  if (state.type === 'rejected') return kept(running, { error: state.error })
  return state.notAPromise === true ? made : kept(running, { value: state.value })
}

function kept(
  { used }: Running,
  made: { readonly value: QuickJSHandle } | { readonly error: QuickJSHandle },
): Made {
  const isGood = 'value' in made && made.value !== undefined
  const handle = isGood ? made.value : (made as { readonly error: QuickJSHandle }).error
  used.unshift(handle)
  return isGood ? { value: handle } : { error: handle }
}
