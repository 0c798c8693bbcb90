import type { EvidenceLedger } from '../citations/ledger.ts'
import { mayStartAddress, readBareAddress, startsAddress } from '../citations/markup/addresses.ts'
import type { Tool } from '../kernel/agent/tool.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { type Gap, withGaps } from '../team/gap.ts'
import { placeSiteName, type WebPlace, WebPlaces } from '../tools/web/places.ts'
import type { Unavailable } from '../tools/web/unavailable.ts'
import { continuationPrompts } from './earlier.ts'
import type { AskState, QuestionStage } from './state.ts'
import type { TeamParts } from './team.ts'

/**
 * The results that a researcher can read: the question's own pages first, then what it has found in this research step.
 */
export function createPlaces({ question, research }: AskState): WebPlaces {
  const own = research.researchers[research.index]?.places ?? []
  return new WebPlaces([...findQuestionPages(question), ...own])
}

/** The web tools, if the run may use them. */
export async function loadWebTools(
  team: TeamParts,
  question: QuestionStage,
  ledger: EvidenceLedger,
  places: WebPlaces,
): Promise<readonly Tool[]> {
  if (!question.web) return []
  const { library, web } = team
  if (web === undefined) {
    throw new ScholiumError(
      'invalid_configuration',
      'This run uses the web, but no web access is set up.',
    )
  }
  const { createWebTools } = await import('../tools/web/web-tools.ts')
  return createWebTools({
    web: await web(),
    library,
    placeOf: (n) => places.placeOf(n),
    sourceOf: (n) => ledger.requireSource(n).sourceId,
    rangeText: () => places.rangeText(),
  })
}

/** A researcher's instructions, including those for the web and for servers if it may use them. */
export function buildResearcherPrompt({ prompts }: TeamParts, question: QuestionStage): string {
  const { quick, researcher, researcher_web, researcher_mcp, researcher_continued } = prompts
  const role = question.depth === 'quick' ? quick : researcher
  const plain = [role, ...continuationPrompts(question, researcher_continued)].join('\n\n')
  const marks = findQuestionPages(question).map((place, index) => formatPageMark(place, index + 1))
  const named = marks.length === 0 ? '' : `\n\nPages that the question names: ${marks.join(', ')}.`
  const web = question.web ? `\n\n${researcher_web}` : ''
  const mcp = question.mcpTools.length === 0 ? '' : `\n\n${researcher_mcp}`
  return `${plain}${web}${mcp}${named}`
}

/** Reports unreachable sources, each source and reason once. @returns the new gaps */
export async function reportUnavailable(
  context: RunContext,
  known: readonly Gap[],
  unavailable: readonly Unavailable[],
): Promise<readonly Gap[]> {
  const met = unavailable.map(
    ({ source, reason, detail }): Gap => ({
      kind: 'source_unavailable',
      detail: `Not available (${reason}): ${detail}`,
      source,
      reason,
    }),
  )
  const gaps = withGaps(known, met).slice(known.length)
  for (const [index, { source, detail }] of gaps.entries())
    await context.notice(`source ${index + 1}`, 'warning', `${source}: ${detail}`)
  return gaps
}

/** What a question says of the pages that may be read. */
type Asked = Pick<QuestionStage, 'text' | 'web'> & Partial<Pick<QuestionStage, 'mcpTools'>>

/** The question as models see it: if the web or servers may be used, result numbers replace its addresses. */
export function presentQuestion(asked: Asked): string {
  return mayReadPages(asked) ? markAddresses(asked.text, new WebPlaces()) : asked.text
}

/** The pages that the person named in the question, numbered from 1; none if nothing could read them. */
export function findQuestionPages(asked: Asked): readonly WebPlace[] {
  if (!mayReadPages(asked)) return []
  const places = new WebPlaces()
  markAddresses(asked.text, places)
  return places.all
}

function mayReadPages({ web, mcpTools = [] }: Asked): boolean {
  return web || mcpTools.length > 0
}

/** A page as a question shows it: `[result 1: example.org]`. */
function formatPageMark(place: WebPlace, number: number): string {
  return `[result ${number}: ${placeSiteName(place)}]`
}

/**
 * Replaces each address in a text by a mark with its result number.
 * @param most maximum number of addresses with numbers; the others are left out
 */
export function markAddresses(question: string, places: WebPlaces, most = Infinity): string {
  let text = ''
  let from = 0
  for (const { index } of question.matchAll(/https?:\/\//gi)) {
    if (index < from || !startsAddress(question, index) || !mayStartAddress(question, index))
      continue
    const { url, end } = readBareAddress(question, index, question.length)
    if (url === undefined) continue
    const place = { url, title: placeSiteName({ url, title: '' }) }
    const isKnown = places.all.length < most || places.has(place)
    text +=
      question.slice(from, index) +
      (isKnown ? formatPageMark(place, places.add(place)) : '(address)')
    from = end
  }
  return text + question.slice(from)
}
