import { existsSync, readFileSync } from 'node:fs'
import { heapMb } from '../worker/worker-limits.ts'

/** The functions of PDFium used here. @see https://pdfium.googlesource.com/pdfium/+/refs/heads/main/public/ */
type FunctionName =
  | 'malloc'
  | 'free'
  | 'FPDF_InitLibrary'
  | 'FPDF_LoadMemDocument'
  | 'FPDF_CloseDocument'
  | 'FPDF_GetLastError'
  | 'FPDF_GetMetaText'
  | 'FPDF_GetPageCount'
  | 'FPDF_LoadPage'
  | 'FPDF_ClosePage'
  | 'FPDF_GetPageBoundingBox'
  | 'FPDF_GetPageWidthF'
  | 'FPDF_GetPageHeightF'
  | 'FPDF_PageToDevice'
  | 'FPDF_RenderPageBitmap'
  | 'FPDFBitmap_CreateEx'
  | 'FPDFBitmap_FillRect'
  | 'FPDFBitmap_Destroy'
  | 'FPDFPage_GetArtBox'
  | 'FPDFPage_SetArtBox'
  | 'FPDFPage_CountObjects'
  | 'FPDFPage_GetObject'
  | 'FPDFFormObj_CountObjects'
  | 'FPDFFormObj_GetObject'
  | 'FPDFPageObj_GetType'
  | 'FPDFPageObj_GetBounds'
  | 'FPDFPageObj_GetMatrix'
  | 'FPDFPageObj_GetFillColor'
  | 'FPDFPageObj_GetStrokeColor'
  | 'FPDFPageObj_SetFillColor'
  | 'FPDFPageObj_SetStrokeColor'
  | 'FPDFPageObj_GetStrokeWidth'
  | 'FPDFPageObj_GetClipPath'
  | 'FPDFPageObj_SetIsActive'
  | 'FPDFPageObj_CountMarks'
  | 'FPDFPageObj_GetMark'
  | 'FPDFPageObj_RemoveMark'
  | 'FPDFPageObjMark_GetName'
  | 'FPDFPageObjMark_GetParamStringValue'
  | 'FPDFClipPath_CountPaths'
  | 'FPDFClipPath_CountPathSegments'
  | 'FPDFClipPath_GetPathSegment'
  | 'FPDFPathSegment_GetPoint'
  | 'FPDFPath_GetDrawMode'
  | 'FPDFTextObj_GetFont'
  | 'FPDFTextObj_GetFontSize'
  | 'FPDFTextObj_GetTextRenderMode'
  | 'FPDFFont_GetBaseFontName'
  | 'FPDFFont_GetAscent'
  | 'FPDFFont_GetDescent'
  | 'FPDFFont_GetGlyphWidth'
  | 'FPDFText_LoadPage'
  | 'FPDFText_ClosePage'
  | 'FPDFText_CountChars'
  | 'FPDFText_GetUnicode'
  | 'FPDFText_GetTextObject'
  | 'FPDFText_IsGenerated'
  | 'FPDFText_IsHyphen'
  | 'FPDFText_HasUnicodeMapError'
  | 'FPDFText_GetMatrix'
  | 'FPDFText_GetCharOrigin'
  | 'FPDFText_GetCharBox'
  | 'FPDFText_GetLooseCharBox'

/** PDFium in WebAssembly: functions over numbers and addresses, and the memory they refer to. */
export interface Pdfium {
  readonly call: Readonly<Record<FunctionName, (...values: readonly number[]) => number>>
  /** Views of all memory; invalid after the next call that may allocate. */
  readonly view: () => DataView
  /** The address of {@link scratchBytes} bytes for results of calls. */
  readonly scratch: number
  /** Whether it was refused memory. */
  readonly isOutOfMemory: () => boolean
}

/** The message of errors for lack of memory. */
export const outOfMemory = 'out of memory'

/** Size of the memory at {@link Pdfium.scratch}. */
export const scratchBytes = 4_096

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The part of an instance used here. */
interface Instance {
  readonly exports: Pdfium['call'] & { readonly memory: { readonly buffer: ArrayBuffer } }
}

/** The part of WebAssembly used here, which Node's types lack. */
const { Module, Instance } = Reflect.get(globalThis, 'WebAssembly') as {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: Imports) => Instance
}

let compiled: object | undefined
let running: Promise<Pdfium> | undefined

/** The instance of this process, started on first use. */
export function loadPdfium(): Promise<Pdfium> {
  running ??= startPdfium()
  return running
}

/** Forgets the instance: after an exception thrown by a call, its memory is not to be trusted. */
export function discardPdfium(): void {
  running = undefined
}

async function startPdfium(): Promise<Pdfium> {
  const { PDFiumModule } = await import('@hyzyla/pdfium')
  compiled ??= new Module(readFileSync(wasmFile()))
  const module = compiled
  const { promise, resolve } = Promise.withResolvers<Instance>()
  let isOutOfMemory = false
  const options = {
    print() {},
    printErr() {},
    instantiateWasm(imports: Imports, onReady: (made: Instance) => void) {
      const limited = limitMemory(imports, () => {
        isOutOfMemory = true
      })
      const instance = new Instance(module, limited)
      onReady(instance)
      resolve(instance)
      return instance.exports
    },
  }
  await (PDFiumModule as unknown as (given: typeof options) => Promise<unknown>)(options)
  const { exports } = await promise
  const { memory } = exports
  let view = new DataView(memory.buffer)
  exports.FPDF_InitLibrary()
  return {
    call: exports,
    view() {
      if (view.buffer !== memory.buffer) view = new DataView(memory.buffer)
      return view
    },
    scratch: exports.malloc(scratchBytes),
    isOutOfMemory: () => isOutOfMemory,
  }
}

/** In a build the engine lies next to this file; in a checkout, in its package. */
function wasmFile(): URL {
  const built = new URL('./pdfium.wasm', import.meta.url)
  return existsSync(built) ? built : new URL(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))
}

/** Imports under which memory does not grow beyond {@link heapMb}. */
function limitMemory(imports: Imports, onRefused: () => void): Imports {
  const { env = {} } = imports
  const grow = env.emscripten_resize_heap as (bytes: number) => boolean
  const limited = (bytes: number) => {
    if (bytes >>> 0 <= heapMb * 1_048_576 && grow(bytes)) return true
    onRefused()
    return false
  }
  return { ...imports, env: { ...env, emscripten_resize_heap: limited } }
}

/** Text as PDFium returns it, with a final zero; `length` counts bytes. */
export function readUtf16({ view }: Pdfium, at: number, length: number): string {
  const memory = view()
  return Buffer.from(memory.buffer, at, Math.max(0, length - 2)).toString('utf16le')
}
