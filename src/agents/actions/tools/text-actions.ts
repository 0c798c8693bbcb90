import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import type { ToolAction } from '../action.ts'
import { unusedParam } from '../known-params.ts'
import { insertCitations } from './insert-citations.ts'
import { readMarkdown } from './markdown-parts.ts'
import { toolAction } from './tool-action.ts'

const byWords = 'references are matched by shared words'

/** Works on texts. */
export function textActions(): readonly ToolAction[] {
  return [citeAction(), markdownAction()]
}

function citeAction(): ToolAction {
  return toolAction({
    name: 'text.insert_citations',
    description:
      'Adds a mark [n] to the sentence that best matches each reference by shared words, and a reference list at the end. Headings, code, abstract and conclusions get no marks. A mark shows where a reference fits, not that the sentence is true.',
    input: z.strictObject({
      text: z
        .string()
        .max(1_000_000)
        .describe('The text in Markdown, at most 1,000,000 characters.'),
      references: z
        .array(z.string().trim().min(1).max(5_000))
        .max(500)
        .default([])
        .describe('The references as they should be listed; at most 500.'),
      model: unusedParam(byWords),
      api_key: unusedParam(byWords),
      base_url: unusedParam(byWords),
    }),
    effect: 'pure',
    result:
      '{text, cited_text, references_section, citation_map: {n: reference}, uncited: references that match no sentence, success}',
    async execute({ text, references }): Promise<Json> {
      const { text: citedText, cited, uncited } = insertCitations(text, references)
      const lines = cited.map(({ n, reference }) => `${n}. ${reference.replaceAll(/\s+/g, ' ')}`)
      const section = lines.length === 0 ? '' : `## References\n\n${lines.join('\n')}`
      return {
        text: section === '' ? citedText : `${citedText.trimEnd()}\n\n${section}\n`,
        cited_text: citedText,
        references_section: section,
        citation_map: Object.fromEntries(cited.map(({ n, reference }) => [String(n), reference])),
        uncited,
        success: true,
      }
    },
  })
}

function markdownAction(): ToolAction {
  const parts = ['title', 'sections', 'variables', 'frontmatter', 'tasks'] as const
  return toolAction({
    name: 'markdown.parse',
    description: 'Parses Markdown: title, sections, tasks, template variables and front matter.',
    input: z.strictObject({
      content: z.string().max(2_000_000).describe('The text, at most 2,000,000 characters.'),
      extract: z.array(z.enum(parts)).optional().describe('Parts to return; all by default.'),
    }),
    effect: 'pure',
    result:
      '{title, sections: [{id, section_type, content, order_idx, variables, level, language}], variables, frontmatter, tasks: [{text, checked, indent, ac_refs, line_number}], success}, or {error, success: false, error_type}',
    async execute({ content, extract = parts }): Promise<Json> {
      const read = await readMarkdown(content)
      if ('error' in read) return read
      const chosen = parts
        .filter((part) => extract.includes(part))
        .map((part) => [part, read[part] ?? null])
      return { ...Object.fromEntries(chosen), success: true }
    },
  })
}
