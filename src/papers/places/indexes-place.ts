import type { Lookup, LookupFailure } from '../../sources/lookup/outcome.ts'
import type { FoundWork, FoundWorks } from '../../sources/lookup/papers/found-work.ts'
import { searchOpenAlex } from '../../sources/lookup/papers/openalex.ts'
import { searchSemanticScholar } from '../../sources/lookup/papers/semantic-scholar.ts'
import { lookupSources } from '../../sources/lookup/sources.ts'
import { lookupAccess, type WebSources } from '../../tools/web/web-sources.ts'
import type { Paper, PaperPlace, PaperQuery, PlaceOutcome } from '../paper.ts'
import { categoryFields, wantedCategory } from './category-fields.ts'
import { mergePapers } from './merge-papers.ts'
import { describeLeftOut, paperFromWork } from './normalize-paper.ts'

/** Semantic Scholar and OpenAlex, searched together; duplicates are merged. One answer suffices. */
export function indexesPlace(web: WebSources): PaperPlace {
  return {
    name: 'Semantic Scholar and OpenAlex',
    search: (query, signal) => searchIndexes(web, query, signal),
  }
}

async function searchIndexes(
  web: WebSources,
  wanted: PaperQuery,
  signal: AbortSignal,
): Promise<PlaceOutcome> {
  const access = lookupAccess(web, signal)
  const { query, limit } = wanted
  const category = wantedCategory(wanted)
  const fields = category === undefined ? undefined : categoryFields(category)
  const answers = await Promise.all([
    searchSemanticScholar(access, { query, limit, fieldsOfStudy: fields?.semanticScholar ?? [] }),
    searchOpenAlex(access, { query, limit, fieldIds: fields?.openAlex ?? [] }),
  ])
  signal.throwIfAborted()
  const failures = answers.filter((answer): answer is LookupFailure => !answer.ok)
  if (failures.length === answers.length) return allFailed(failures)
  const lists = answers.flatMap((answer) => (answer.ok ? [papersIn(answer.works)] : []))
  const read = lists.reduce((sum, list) => sum + list.length, 0)
  const notes = [
    ...describeLeftOut(entriesIn(answers) - read),
    ...categoryNotes(category, fields?.name),
  ]
  return {
    ok: true,
    papers: mergePapers(lists).slice(0, limit),
    ...(notes.length === 0 ? {} : { notes }),
    ...(failures.length === 0 ? {} : { unanswered: failures.map(({ detail }) => detail) }),
  }
}

function papersIn(works: readonly FoundWork[]): readonly Paper[] {
  return works.flatMap((work) => paperFromWork(work, lookupSources[work.record.source].title) ?? [])
}

function entriesIn(answers: readonly Lookup<FoundWorks>[]): number {
  return answers.reduce((sum, one) => sum + (one.ok ? one.works.length + one.leftOut : 0), 0)
}

function categoryNotes(category: string | undefined, field: string | undefined): readonly string[] {
  if (category === undefined) return []
  const told = field === undefined ? 'was not used' : `became the field of ${field}, which is wider`
  return [`The category ${category} is arXiv's: here it ${told}.`]
}

function allFailed(failures: readonly LookupFailure[]): PlaceOutcome {
  const [first] = failures
  const detail = failures.map((failure) => failure.detail).join(' ')
  const hint = [...new Set(failures.map((failure) => failure.hint))].join(' ')
  return { ok: false, reason: first?.reason ?? 'unreachable', detail, hint }
}
