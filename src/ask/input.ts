import { noneReadText } from '../citations/role-requests.ts'
import { canonicalJson, type Json, sha256 } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { Gap } from '../team/gap.ts'
import { listSources } from '../tools/library/library-tools.ts'
import { type CarriedSources, carryOverSources, type ReadFiles } from './carry-over-sources.ts'
import { loadPictures } from './pictures.ts'
import { listMcpTools } from './research-mcp.ts'
import { reportUnavailable } from './research-web.ts'
import { respond, withinBoundary } from './roles.ts'
import { type AskPatch, type AskState, mergePatches, type QuestionStage } from './state.ts'
import type { ReadSources, TeamParts } from './team.ts'

/** The node that opens the run: reads the question's own files, looks at pictures and lists the tools of MCP servers. */
export function inputNode(team: TeamParts) {
  return (state: AskState, context: RunContext): Promise<AskPatch> =>
    withinBoundary('input', context, async () => {
      const { question } = state
      const read = (await context.step(
        'sources',
        'read',
        toStepInput(question),
        async ({ signal }) => {
          const all = await readAllSources(team, question, signal)
          return { ...all, ...(await readTitles(team, all)) } as unknown as Json
        },
      )) as unknown as ReadAll & Titles
      if (read.isSample) {
        await context.notice(
          'sample',
          'info',
          'Your library is empty, so the sample library is used. Add your own files with: scholium library add PATH',
        )
      }
      await reportUnused(question, context)
      await reportUnreadable(read.gaps, context)
      const known = {
        citations: question.earlier?.citations ?? [],
        passages: question.earlier === null ? [] : (read.passages ?? []),
      }
      const pictures = question.pictures ? (read.pictures ?? []) : []
      const looked = await loadPictures(team, pictures, known, context)
      const offer = await listMcpTools(team, question, context)
      const unavailable = await reportUnavailable(context, read.gaps, offer.unavailable)
      const { sourceIds, sourcePaths, sourceTitles, sourceCount } = read
      const { tools: mcpTools, takesImages: mcpImages } = offer
      return mergePatches(
        read.isNothingLeft === true ? nothingReadPatch : {},
        {
          question: {
            sourceIds,
            sourceTitles,
            sourceCount,
            ...(sourcePaths === undefined ? {} : { sourcePaths }),
            ...(mcpTools.length === 0 ? {} : { mcpTools, mcpImages }),
          },
          ...(question.earlier === null ? {} : { research: known }),
          control: {
            gaps: [...read.gaps, ...unavailable, ...looked.gaps],
            atAgent: 'input',
          },
        },
        looked.patch,
        respond(context, 'input', null, question.text),
      )
    })
}

/** What the question allows or asks for that this run does not use. */
async function reportUnused({ web, depth, criteria }: QuestionStage, context: RunContext) {
  if (web && context.services.models.forRole('researcher').effect === 'pure')
    await context.notice(
      'web',
      'warning',
      'The built-in engine does not use the web: choose a language model for that (--model).',
    )
  if (depth === 'quick' && Object.keys(criteria).length > 0)
    await context.notice(
      'criteria',
      'warning',
      'At depth quick there are no critics: the criteria have no effect.',
    )
}

/** The input of the step that reads the sources: everything it depends on. */
function toStepInput({ files, filesWithin, earlier }: QuestionStage) {
  return {
    paths: files,
    ...(filesWithin === '' ? {} : { within: filesWithin }),
    ...(earlier === null ? {} : { earlier: sha256(canonicalJson(earlier)) }),
  }
}

/** What was read, and whether there is nothing at all that could contain an answer. */
type ReadAll = ReadSources & Partial<CarriedSources> & { readonly isNothingLeft?: boolean }

/** The titles of what can be searched. */
type Titles = Pick<QuestionStage, 'sourceTitles' | 'sourceCount'>

/** Maximum number of titles, and their maximum length in UTF-16 code units. */
const maxTitles = 40
const maxTitleLength = 120

async function readTitles({ library }: TeamParts, read: ReadSources): Promise<Titles> {
  const { sourceIds, sourcePaths = {} } = read
  const all = await listSources({ library, sourceIds })
  const own = new Set(sourceIds)
  const sourceTitles = all.slice(0, maxTitles).map(({ id, title, path }) => {
    const file = own.has(id) ? (sourcePaths[id] ?? path ?? '').split(/[\\/]/).at(-1) : ''
    const name = file === '' ? '' : ` (${file})`
    return `${title.slice(0, maxTitleLength).toWellFormed()}${name}`
  })
  return { sourceTitles, sourceCount: all.length }
}

async function readAllSources(
  team: TeamParts,
  { files, filesWithin, earlier }: QuestionStage,
  signal: AbortSignal,
): Promise<ReadAll> {
  const own = { paths: files, within: filesWithin }
  const readFiles: ReadFiles = ({ paths, within }) =>
    team.readSources(paths, signal, within || undefined)
  const read = await (earlier === null
    ? readFiles(own)
    : carryOverSources(team, earlier, own, readFiles))
  const isUnreadable = read.sourceIds.length === 0 && read.gaps.length > 0
  if (!isUnreadable || (await team.library.list()).length > 0) return read
  return { ...read, isNothingLeft: true }
}

/** If everything named is unreadable and the library is empty, no model is asked. */
const nothingReadPatch: AskPatch = {
  answer: { text: noneReadText, reasoning: `${noneReadText} No model was called.` },
}

/** Maximum number of sources with a warning each; the answer's gaps have the rest. */
const maxWarnings = 10

async function reportUnreadable(all: readonly Gap[], context: RunContext): Promise<void> {
  const gaps = all.filter(({ kind }) => kind !== 'source_note')
  for (const [index, { source = '', detail }] of gaps.slice(0, maxWarnings).entries())
    await context.notice(`unreadable ${index + 1}`, 'warning', `${source}: ${detail}`)
  const more = gaps.length - maxWarnings
  if (more > 0)
    await context.notice('unreadable', 'warning', `${more} more sources could not be read.`)
}
