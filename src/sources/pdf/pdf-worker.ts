import { parentPort } from 'node:worker_threads'
import { composePdf } from './compose.ts'
import { extractPdf } from './extract.ts'
import type { PdfReply, PdfRequest } from './pdf-messages.ts'

/** The thread in which PDFs are read, one after the other: whatever a file does to it, the process lives on. */
async function replyTo(request: PdfRequest, reply: (reply: PdfReply) => void): Promise<void> {
  const { bytes, contentHash, fallbackTitle, timeoutMs } = request
  const extraction = await extractPdf(bytes, timeoutMs, (pageCount) =>
    reply({ type: 'opened', pageCount }),
  )
  if (!extraction.ok) return reply({ type: 'unreadable', unreadable: extraction.unreadable })
  const content = composePdf(contentHash, extraction.pages, extraction.info, fallbackTitle)
  reply({ type: 'read', content, notes: extraction.notes })
}

const port = parentPort
// pdf.js leaves tasks behind that fail on their own after a file is read or given up; what a page lacks it tells apart.
if (port !== null) process.on('unhandledRejection', () => {})
port?.on('message', (request: PdfRequest) => {
  replyTo(request, (reply) => port.postMessage(reply)).catch((error) => {
    // Thrown where nothing catches it, it ends this worker and reaches the reader as its 'error' event.
    queueMicrotask(() => {
      throw error
    })
  })
})
