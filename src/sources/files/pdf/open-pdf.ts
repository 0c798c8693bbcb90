import { brotliDecompressSync, inflateSync } from 'node:zlib'
import type { PdfFont } from './drawing.ts'
import type { PageTrouble } from './pdf-troubles.ts'
import type { OperatorList, PdfPicture } from './read-drawing.ts'

/** The part of pdf.js's file used here. */
export interface PdfFile {
  readonly numPages: number
  readonly loadingTask: { destroy(): Promise<void> }
  getPage(number: number): Promise<PdfPage>
  getMetadata(): Promise<{ info: object; metadata: { get(name: string): unknown } | null }>
  getOptionalContentConfig(): Promise<PdfLayers>
}

/** The part of pdf.js's page used here. */
export interface PdfPage {
  readonly pageNumber: number
  /** Its object in the file. */
  readonly ref: { readonly num: number; readonly gen: number } | null
  /** The visible area: left, bottom, right, top. */
  readonly view: readonly number[]
  /** Points per unit of its coordinates. */
  readonly userUnit: number
  /** Fonts, and pictures used on several pages. */
  readonly commonObjs: PdfObjects<PdfFont & PdfPicture>
  readonly objs: PdfObjects<PdfPicture | null>
  getOperatorList(options: { annotationMode: number }): Promise<OperatorList>
  cleanup(): boolean
}

/** Objects of a page by id. */
export interface PdfObjects<Value> {
  has(id: string): boolean
  /** @throws for an object that is not there yet, unless `onThere` is given */
  get(id: string, onThere?: (value: Value) => void): Value
}

/** The visibility of a file's layers. */
export interface PdfLayers {
  isVisible(layer: unknown): boolean
}

/** How a file is opened. */
export interface OpenOptions {
  /** Larger pictures, in pixels, are left out. */
  readonly maxImageSize: number
  /** pdf.js's access to its data files. */
  readonly BinaryDataFactory: new () => object
}

/**
 * Opens a file with pdf.js.
 * @throws pdf.js's error if it cannot be opened
 */
export async function openPdf(bytes: Uint8Array, options: OpenOptions): Promise<PdfFile> {
  const { getDocumentProxy, getResolvedPDFJS } = await import('unpdf')
  const { PDFWorker } = await getResolvedPDFJS()
  Object.assign(globalThis, { FontFace: UnusedFont, DecompressionStream: Unpacker })
  const [port, farPort] = connectedPorts()
  const worker = new PDFWorker({ port: port as unknown as null, verbosity: 0 })
  const { pdfjsWorker } = globalThis as unknown as PdfGlobals
  pdfjsWorker.WorkerMessageHandler.initializeFromPort(farPort)
  // pdf.js takes ownership of a whole buffer, and copies a part of one.
  const given = bytes.length === bytes.buffer.byteLength ? bytes.slice() : bytes
  const settings = { worker, verbosity: 0, useWasm: false, disableFontFace: false, ...noBrowser }
  const file = await getDocumentProxy(given, { ...settings, ...options } as object)
  return file as unknown as PdfFile
}

/** The operators of pdf.js by name. */
export async function pdfOperators(): Promise<Readonly<Record<string, number>>> {
  const { getResolvedPDFJS } = await import('unpdf')
  return (await getResolvedPDFJS()).OPS
}

/** Where pdf.js keeps its parser, which a browser runs in a worker. */
interface PdfGlobals {
  readonly pdfjsWorker: {
    readonly WorkerMessageHandler: { initializeFromPort(port: Port): void }
  }
}

/** Receives fonts in place of a browser. Without it, pdf.js would extract all glyph outlines to draw them itself. */
class UnusedFont {
  readonly loaded = Promise.resolve()
}

/**
 * Decompresses for pdf.js. Node's streams use a thread and three streams, which for a PDF's many small pieces takes
 * longer than the decompression.
 */
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

/** One end of the channel between the two parts of pdf.js. */
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

/**
 * Copies like messages between threads, except operators, of which only the lists are reused: copying them takes a
 * quarter of a page's time.
 */
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

/** A file's requests for character maps, none of which is available. */
export interface MissingCharacterMaps {
  /** pdf.js's access to its data files, which finds none but records requests. */
  readonly BinaryDataFactory: new () => object
  /** The trouble with the page just read: a missing character map if one was requested, else what was observed. */
  troubleOf(seen: Omit<PageTrouble, 'page'> | undefined): Omit<PageTrouble, 'page'> | undefined
}

/** Watches a file for predefined character maps of East Asian fonts, which pdf.js skips silently. */
export function watchCharacterMaps(): MissingCharacterMaps {
  const askedNow = new Set<string>()
  let askedFirst: string | undefined
  return {
    BinaryDataFactory: class {
      async fetch({ kind, filename }: { kind: string; filename: string }): Promise<never> {
        if (kind === 'cMapUrl') askedNow.add(filename.replace(/\.bcmap$/, ''))
        throw new Error(`${filename} is missing`)
      }
    },
    troubleOf(seen) {
      const [asked] = askedNow
      askedNow.clear()
      askedFirst ??= asked
      // A font is requested once; later pages of its text are simply empty.
      const what = asked ?? (seen?.kind === 'no_text' ? askedFirst : undefined)
      return what === undefined ? seen : { kind: 'character_map', what }
    },
  }
}
