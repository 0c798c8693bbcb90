import * as z from 'zod'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import type { Json } from '../../kernel/json.ts'
import type { Document, Section } from '../../sources/document.ts'
import {
  readWikipediaPage,
  type WikipediaPage,
  type WikipediaPageRequest,
} from '../../sources/lookup/wikipedia/wikipedia-page.ts'
import { keepDocument, textDocument } from './keep-document.ts'
import { about, result, type WebScope } from './read-page.ts'
import { language, refuse } from './search-tools.ts'
import { lookupFailed } from './unavailable.ts'
import { lookupAccess } from './web-sources.ts'

/** Reads a Wikipedia article, by a result's number or by title. */
export function readWikipediaTool(scope: WebScope): Tool {
  return defineTool({
    name: 'read_wikipedia',
    description:
      'Reads an article of Wikipedia, by the number of a result of search_wikipedia or by its title; its passages then have a citation number. Read on with read_source.',
    input: z.strictObject({
      result: result.optional(),
      title: z.string().trim().min(1).max(255).optional().describe('The title of the article.'),
      language,
      section: z.string().trim().min(1).max(300).optional().describe('The heading to begin at.'),
      about,
    }),
    effect: 'read',
    untrusted: 'results',
    timeoutMs: 70_000,
    async execute({ result, title, language, section, about }, { signal }): Promise<Json> {
      const request = requestFor(scope, result, title, language)
      const read = await readWikipediaPage(lookupAccess(scope.web, signal), request)
      signal.throwIfAborted()
      if (!read.ok) return lookupFailed(read)
      const { page } = read
      if (page.isDisambiguation) return { title: page.title, meanings: page.meanings }
      const kept = await keepDocument(scope.library, toDocument(page), page.url, { section, about })
      const headings = page.sections.flatMap(({ level, title }) => (level === 2 ? [title] : []))
      return { ...kept, sections: headings.slice(0, 60) }
    },
  })
}

function requestFor(
  scope: WebScope,
  result: number | undefined,
  title: string | undefined,
  language: string | undefined,
): WikipediaPageRequest {
  if (result !== undefined) {
    const place = scope.placeOf(result)
    if (place.wikipedia !== undefined) return { title: place.title, language: place.wikipedia }
    return refuse('This is not a Wikipedia article.', 'Read it with read_page.')
  }
  if (title !== undefined) return { title, ...(language === undefined ? {} : { language }) }
  return refuse(
    'No article is named.',
    `Give a title, or the number of a result. ${scope.rangeText()}`,
  )
}

/** The article with Markdown headings, so that no sentence starts with one. */
function toDocument({ title, item, sections: parts }: WikipediaPage): Document {
  const sections: Section[] = []
  let text = ''
  for (const { title, level, text: own } of parts) {
    if (level > 1) {
      sections.push({ title, level: level - 1, start: text.length })
      text += `${'#'.repeat(level)} ${title}\n\n`
    }
    if (own !== '') text += `${own}\n\n`
  }
  return textDocument(text.trimEnd(), { title, csl: item, sections })
}
