import type { DocumentReader } from '../../sources/files/worker/document-reader.ts'

/** The processes that read documents, the same for all that an app reads. They are loaded and started on first use. */
export class AppReader {
  private made: Promise<DocumentReader> | undefined

  /** What reads documents. */
  get(): Promise<DocumentReader> {
    this.made ??= import('../../sources/files/worker/document-reader.ts').then(
      ({ createDocumentReader }) => createDocumentReader(),
    )
    return this.made
  }

  /** Has it start while other things happen, where one of these files is a PDF. */
  prepareFor(paths: readonly string[]): void {
    if (!paths.some((path) => /\.pdf$/i.test(path))) return
    this.get().then(
      (reader) => reader.prepare('pdf'),
      () => {}, // Who reads is told.
    )
  }

  /** Ends the processes. */
  async close(): Promise<void> {
    await (await this.made)?.close()
  }
}
