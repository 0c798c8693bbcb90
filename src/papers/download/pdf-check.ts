import { open } from 'node:fs/promises'

/** PDF readers accept a header within this many bytes. */
const headerWithinBytes = 1_024
/** How far from the end of a PDF its end mark may be. */
const tailBytes = 2_048

/** How many leading bytes are inspected: a web page identifies itself within them. */
export const maxSniffedBytes = 65_536

/** Whether a file that starts with these bytes is a PDF. */
export function isPdf(start: Uint8Array): boolean {
  return latin1(start.subarray(0, headerWithinBytes)).includes('%PDF-')
}

const pageStart = /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype|html|\?xml|head|body|script)/i

/** Describes what came in place of a PDF: "a page, not a PDF: “Sorry”". */
export function describeNonPdf(start: Uint8Array): string {
  const text = new TextDecoder().decode(start.subarray(0, maxSniffedBytes))
  if (text.trim() === '') return 'nothing'
  if (!pageStart.test(text)) {
    return 'something that is not a PDF'
  }
  const title =
    /<title[^>]{0,200}>([^<]{1,300})/i.exec(text)?.[1] ??
    /<h1[^>]{0,200}>([^<]{1,300})/i.exec(text)?.[1]
  const words = title?.replace(/[\p{Cc}\s]+/gu, ' ').trim() ?? ''
  return words === '' ? 'a page, not a PDF' : `a page, not a PDF: “${words.slice(0, 120)}”`
}

/** The first bytes of a file, {@link maxSniffedBytes} at most. */
export function readStart(path: string): Promise<Uint8Array> {
  return readPart(path, 0, maxSniffedBytes)
}

/** Whether a PDF has its end mark: a response without length may be incomplete. */
export async function hasPdfEnd(path: string, sizeBytes: number): Promise<boolean> {
  const tail = await readPart(path, Math.max(0, sizeBytes - tailBytes), tailBytes)
  return latin1(tail).includes('%%EOF')
}

async function readPart(path: string, from: number, length: number): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
