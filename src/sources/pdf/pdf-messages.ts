import type { Hash } from '../../kernel/json.ts'
import type { Unreadable } from '../document.ts'
import type { PdfContent } from './compose.ts'

/** What the reader asks of its worker. */
export interface PdfRequest {
  readonly bytes: Uint8Array
  readonly contentHash: Hash
  /** The title where the file gives none. */
  readonly fallbackTitle: string
  readonly timeoutMs: number
}

/** What the worker says once, at last: what a file holds or why that cannot be told. */
export type PdfAnswer =
  | { readonly type: 'read'; readonly content: PdfContent; readonly notes: readonly string[] }
  | { readonly type: 'unreadable'; readonly unreadable: Unreadable }

/** All that the worker says; `opened` comes before the answer of a file that could be opened. */
export type PdfReply = { readonly type: 'opened'; readonly pageCount: number } | PdfAnswer
