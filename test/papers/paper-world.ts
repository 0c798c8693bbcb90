import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWebSources } from '../../src/app/web-sources.ts'
import type { Clock } from '../../src/kernel/run/clock.ts'
import { createPaperFiles, type PaperFilesSettings } from '../../src/papers/download/paper-files.ts'
import type { DownloadOptions, Paper, PaperFiles } from '../../src/papers/paper.ts'
import { createQuickClock } from '../../src/testing/index.ts'
import type { WebSources } from '../../src/tools/web/web-sources.ts'
import type { PaperServer } from './paper-server.ts'
import type { ServedPaper } from './served-papers.ts'

/** A signal that nothing aborts. */
export const unending = new AbortController().signal

/** The web with the servers of the tests in place of the services; nobody really waits. */
export function webOver(
  { webServers }: Pick<PaperServer, 'webServers'>,
  clock: Clock = createQuickClock(),
): WebSources {
  return createWebSources({}, clock, webServers)
}

/** A folder of a test and the files of papers in it. */
export class PaperFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'scholium-papers-'))

  files(server: PaperServer, more: Partial<PaperFilesSettings> = {}): PaperFiles {
    return createPaperFiles({ folder: this.path, web: webOver(server), ...more })
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** A download that nobody stops, and the shares that it told. */
export function watched(
  signal: AbortSignal = unending,
): DownloadOptions & { readonly shares: number[] } {
  const shares: number[] = []
  return { signal, shares, onProgress: (share) => shares.push(share) }
}

/** A paper as a search would have found it, with its file at the server's. */
export function foundPaper(
  server: PaperServer,
  served: ServedPaper | undefined,
  more: Partial<Paper> = {},
): Paper {
  if (served === undefined) throw new Error('There is no such paper.')
  const { arxivId, title, authors, abstract, published, categories } = served
  const id = `arxiv:${arxivId.replace(/v\d+$/, '')}`
  return {
    ...{ id, title, authors, abstract, published, categories, arxivId },
    pdfUrl: `${server.origin('files')}/pdf/${arxivId}`,
    foundBy: ['arXiv'],
    csl: { id, type: 'article', title, number: `arXiv:${arxivId}` },
    ...more,
  }
}
