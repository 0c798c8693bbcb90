import { createWebSources } from '../../src/app/web-sources.ts'
import { systemClock } from '../../src/kernel/run/clock.ts'
import { createPaperFiles } from '../../src/papers/download/paper-files.ts'
import type { Paper } from '../../src/papers/paper.ts'

/** A process that downloads one paper, and writes what it told and the outcome, a line each. */
export interface DownloadTask {
  readonly folder: string
  readonly paper: Paper
  readonly webServers: Parameters<typeof createWebSources>[2]
}

const { folder, paper, webServers } = JSON.parse(process.argv[2] ?? '{}') as DownloadTask
const files = createPaperFiles({ folder, web: createWebSources({}, systemClock, webServers) })
const { signal } = new AbortController()
const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
tell(await files.download(paper, { signal, onProgress: (share) => tell({ share }) }))
process.exit(0)
