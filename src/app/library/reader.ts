import type { DocumentReader } from '../../sources/files/worker/document-reader.ts'

/** The reader processes of an app, loaded and started on first use. */
export class AppReader {
  private made: Promise<DocumentReader> | undefined

  /** What reads documents. */
  get(): Promise<DocumentReader> {
    this.made ??= import('../../sources/files/worker/document-reader.ts').then(
      ({ createDocumentReader }) => createDocumentReader(),
    )
    return this.made
  }

  /** Starts it in the background if one of these files is a PDF. */
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
