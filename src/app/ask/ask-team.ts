import type { Prompts } from '../../ask/prompts.ts'
import type { TeamParts } from '../../ask/team.ts'
import type { Clock } from '../../kernel/run/clock.ts'
import type { Library } from '../../retrieval/library.ts'
import { KnownFiles } from '../../sources/known-files.ts'
import { createCalculationTools } from '../../tools/calculator/calculation-tools.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import type { Home } from '../home.ts'
import { isPrivateOriginal } from '../library/originals.ts'
import { readPictures } from '../library/read-pictures.ts'
import { readSources } from '../library/read-sources.ts'
import type { AppReader } from '../library/reader.ts'
import type { AppMcp } from '../mcp/mcp.ts'
import type { AppPython } from '../python.ts'

/** What the question team needs from the app. */
export interface TeamHost {
  readonly home: Pick<Home, 'path'>
  readonly clock: Clock
  readonly library: Library
  readonly python: Pick<AppPython, 'tool'>
  readonly mcp: Pick<AppMcp, 'access'>
  readonly web: Promise<WebSources>
  readonly reader: Pick<AppReader, 'get'>
}

/** Creates the question team of an app. */
export function createTeam(host: TeamHost, prompts: Prompts): TeamParts {
  const { library, python, mcp } = host
  const known = new KnownFiles(host.clock)
  return {
    prompts,
    library,
    expertTools: createCalculationTools(),
    python: () => python.tool(),
    readPictures: (ids) => readPictures(library, ids),
    mcp: () => mcp.access(),
    web: () => host.web,
    readSources: async (paths, signal, within) =>
      readSources(library, paths, signal, {
        known,
        isAdded: (path) => isPrivateOriginal(host.home.path, path),
        reader: await host.reader.get(),
        ...(within === undefined ? {} : { within }),
      }),
  }
}
