import { brotliDecompressSync, inflateSync } from 'node:zlib'
import type { PdfFont } from './drawing.ts'
import type { PageTrouble } from './pdf-troubles.ts'
import type { OperatorList, PdfPicture } from './read-drawing.ts'

/** The part of a file open in pdf.js that is used. */
export interface PdfFile {
  readonly numPages: number
  readonly loadingTask: { destroy(): Promise<void> }
  getPage(number: number): Promise<PdfPage>
  getMetadata(): Promise<{ info: object; metadata: { get(name: string): unknown } | null }>
  getOptionalContentConfig(): Promise<PdfLayers>
}

/** The part of a page in pdf.js that is used. */
export interface PdfPage {
  readonly pageNumber: number
  /** Its object in the file. */
  readonly ref: { readonly num: number; readonly gen: number } | null
  /** What is shown of it: left, bottom, right, top. */
  readonly view: readonly number[]
  /** Points of a unit of its coordinates. */
  readonly userUnit: number
  /** Fonts, and pictures of several pages. */
  readonly commonObjs: PdfObjects<PdfFont & PdfPicture>
  readonly objs: PdfObjects<PdfPicture | null>
  getOperatorList(options: { annotationMode: number }): Promise<OperatorList>
  cleanup(): boolean
}

/** What a page uses, by its ids. */
export interface PdfObjects<Value> {
  has(id: string): boolean
  /** @throws for what is not there yet, unless it is given what to do when it is */
  get(id: string, onThere?: (value: Value) => void): Value
}

/** Which layers of a file are on. */
export interface PdfLayers {
  isVisible(layer: unknown): boolean
}

/** How a file is opened. */
export interface OpenOptions {
  /** Pictures of more points are left out. */
  readonly maxImageSize: number
  /** pdf.js' door to its data files. */
  readonly BinaryDataFactory: new () => object
}

/** Opens a file with pdf.js. @throws what pdf.js throws for one that it cannot open */
export async function openPdf(bytes: Uint8Array, options: OpenOptions): Promise<PdfFile> {
  const { getDocumentProxy, getResolvedPDFJS } = await import('unpdf')
  const { PDFWorker } = await getResolvedPDFJS()
  Object.assign(globalThis, { FontFace: UnusedFont, DecompressionStream: Unpacker })
  const [port, farPort] = connectedPorts()
  const worker = new PDFWorker({ port: port as unknown as null, verbosity: 0 })
  const { pdfjsWorker } = globalThis as unknown as PdfGlobals
  pdfjsWorker.WorkerMessageHandler.initializeFromPort(farPort)
  // A whole buffer is taken away from its owner, and a part of one copied.
  const given = bytes.length === bytes.buffer.byteLength ? bytes.slice() : bytes
  const settings = { worker, verbosity: 0, useWasm: false, disableFontFace: false, ...noBrowser }
  const file = await getDocumentProxy(given, { ...settings, ...options } as object)
  return file as unknown as PdfFile
}

/** pdf.js' operators by their names. */
export async function pdfOperators(): Promise<Readonly<Record<string, number>>> {
  const { getResolvedPDFJS } = await import('unpdf')
  return (await getResolvedPDFJS()).OPS
}

/** Where pdf.js keeps the part of it that reads files, which would be in a worker in a browser. */
interface PdfGlobals {
  readonly pdfjsWorker: {
    readonly WorkerMessageHandler: { initializeFromPort(port: Port): void }
  }
}

/** What fonts are handed to in a browser. Without one pdf.js would take the outlines of all characters out of them, to draw these itself. */
class UnusedFont {
  readonly loaded = Promise.resolve()
}

/** What pdf.js unpacks with. Node's own goes by a thread and three streams, which for the many small pieces of a PDF takes longer than unpacking. */
class Unpacker {
  readonly writable = { getWriter: () => this }
  readonly ready = Promise.resolve()
  readonly readable: Unpacker['unpacked'][] = []
  private readonly format: string
  private unpacked: Promise<Uint8Array> | undefined

  constructor(format: string) {
    this.format = format
  }

  async write(packed: Uint8Array): Promise<void> {
    const unpack = this.format === 'brotli' ? brotliDecompressSync : inflateSync
    this.unpacked = new Promise((resolve) => resolve(unpack(packed)))
    this.readable.push(this.unpacked)
    await this.unpacked
  }

  async close(): Promise<void> {}
}

const noBrowser = { ownerDocument: { fonts: { add() {}, delete() {} } } }

type Message = { readonly chunk?: { readonly fnArray?: unknown[]; readonly argsArray?: unknown[] } }
type Listener = (event: { readonly data: unknown }) => void

/** One end of the way between the two parts of pdf.js. */
class Port {
  other: Port | undefined
  private readonly listeners = new Set<Listener>()

  postMessage(message: Message, transfer: readonly ArrayBuffer[] | null): void {
    const data = copied(message, transfer)
    queueMicrotask(() => {
      for (const listener of this.other?.listeners ?? []) listener({ data })
    })
  }

  addEventListener(_type: 'message', listener: Listener): void {
    this.listeners.add(listener)
  }

  removeEventListener(_type: 'message', listener: Listener): void {
    this.listeners.delete(listener)
  }

  terminate(): void {
    this.listeners.clear()
  }
}

/** As messages between threads are copied, but for operators, of which only the lists are used again: their copy takes a quarter of the time for a page. */
function copied(message: Message, transfer: readonly ArrayBuffer[] | null): unknown {
  const { chunk } = message
  if (chunk?.fnArray === undefined)
    return structuredClone(message, { transfer: [...(transfer ?? [])] })
  const { fnArray, argsArray = [] } = chunk
  return { ...message, chunk: { ...chunk, fnArray: [...fnArray], argsArray: [...argsArray] } }
}

function connectedPorts(): readonly [Port, Port] {
  const [one, other] = [new Port(), new Port()]
  one.other = other
  other.other = one
  return [one, other]
}

/** What is known of a file's need for character maps, of which none is here. */
export interface MissingCharacterMaps {
  /** pdf.js' door to its data files. It finds none, but what is asked for is noted. */
  readonly BinaryDataFactory: new () => object
  /** The trouble with the page just read: text without its character map, if one was asked for, else what was seen. */
  troubleOf(seen: Omit<PageTrouble, 'page'> | undefined): Omit<PageTrouble, 'page'> | undefined
}

/** Watches one file for the predefined character maps of East Asian fonts, which pdf.js leaves out without a word. */
export function watchCharacterMaps(): MissingCharacterMaps {
  const askedNow = new Set<string>()
  let askedFirst: string | undefined
  return {
    BinaryDataFactory: class {
      async fetch({ kind, filename }: { kind: string; filename: string }): Promise<never> {
        if (kind === 'cMapUrl') askedNow.add(filename.replace(/\.bcmap$/, ''))
        throw new Error(`${filename} is not here`)
      }
    },
    troubleOf(seen) {
      const [asked] = askedNow
      askedNow.clear()
      askedFirst ??= asked
      // A font is asked for once: later pages of its text are just empty.
      const what = asked ?? (seen?.kind === 'no_text' ? askedFirst : undefined)
      return what === undefined ? seen : { kind: 'character_map', what }
    },
  }
}
