import { ScholiumError } from '../../../kernel/errors.ts'
import { type OpenApp, withApp } from '../../arguments/app-settings.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { renderTable } from '../../render/table.ts'
import { cut, cutStart, oneLine, shortPath, wrap } from '../../render/text.ts'

const idLength = 8

/** `scholium library list`. */
export const runLibraryList: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const sources = await app.listLibrary()
    const { terminal } = invocation
    printResult(invocation, sources, () => {
      if (sources.length === 0)
        return terminal.asTyped('The library is empty. Add files with: scholium library add PATH')
      const { columns } = terminal.stdout
      const titleColumns = columns === undefined ? 60 : Math.max(12, Math.floor(columns / 3))
      const rows = sources.map(({ id, kind, pageCount, title, path, url }) => [
        id.slice(0, idLength),
        kind,
        pageCount === undefined ? '' : String(pageCount),
        cut(oneLine(title), titleColumns),
        path === undefined ? oneLine(url ?? '') : shortPath(path, terminal.host.cwd()),
      ])
      const header = ['ID', 'KIND', 'PAGES', 'TITLE', 'PATH']
      return renderTable(header, rows, columns, cutStart).join('\n')
    })
    return 0
  })

const defaultLimit = 8

/** `scholium library search`. */
export const runLibrarySearch: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { words, options, terminal } = invocation
    const query = words.join(' ')
    const limit = Math.min(options.whole('limit', 1) ?? defaultLimit, 100)
    if (query.trim() === '') {
      throw new ScholiumError('invalid_input', 'No query was given.', {
        hint: 'Give one or more words to search for.',
      })
    }
    const hits = await app.searchLibrary({ query, limit })
    printResult(invocation, hits, () => {
      const shown = hits.map((hit) => renderHit(hit, terminal.host.cwd(), terminal.stdout.columns))
      return shown.length === 0 ? 'No passage matches.' : shown.join('\n\n')
    })
    return 0
  })

type Hit = Awaited<ReturnType<OpenApp['searchLibrary']>>[number]

const mostColumnsOfPassage = 400

function renderHit({ passage, source }: Hit, folder: string, columns: number | undefined): string {
  const page = passage.page === undefined ? '' : `, p. ${passage.page}`
  const place =
    source.path === undefined ? source.url && oneLine(source.url) : shortPath(source.path, folder)
  const head = `${oneLine(source.title)}${place === undefined ? '' : ` — ${place}`}${page}`
  const text = `    ${cut(oneLine(passage.text), mostColumnsOfPassage)}`
  if (columns === undefined) return [head, text].join('\n')
  const width = Math.max(20, Math.min(columns, 100))
  return [...wrap(head, width, '    '), ...wrap(text, width, '    ')].join('\n')
}

/** `scholium library remove`. */
export const runLibraryRemove: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const [given = ''] = invocation.words
    const removed = await app.removeFromLibrary(await findSourceId(app, given))
    if (removed === 0) {
      throw new ScholiumError('invalid_input', `There is no source "${given}" in the library.`, {
        hint: 'List the sources: scholium library list',
      })
    }
    printResult(invocation, { removed }, () => `${count(removed, 'source')} removed`)
    return 0
  })

/**
 * The full id for a unique prefix, as the list shows it; anything else unchanged. @throws `invalid_input` if several
 * match
 */
async function findSourceId(app: OpenApp, given: string): Promise<string> {
  if (!/^[0-9a-f]{4,63}$/.test(given)) return given
  const found = (await app.listLibrary()).filter(({ id }) => id.startsWith(given))
  if (found.length < 2) return found[0]?.id ?? given
  throw new ScholiumError('invalid_input', `"${given}" matches ${found.length} sources.`, {
    hint: 'Give more characters of the id.',
  })
}
