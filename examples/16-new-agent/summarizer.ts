// An agent of one's own for "papers": after the synthesizer it adds a section in plain words, which is then checked like the rest.
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { type Graph, insertNode, replace } from '../../src/graph/index.ts'
import type { PapersState } from '../../src/index.ts'
import { callModelForObject, type RunContext } from '../../src/kernel/index.ts'

/** What it puts into the state in addition to the pipeline's own fields: mean words per sentence. */
type Readability = { readonly readability: { readonly before: number; readonly after: number } }

const prompt = readFileSync(new URL('./summarizer.md', import.meta.url), 'utf8')
const answerSchema = z.object({ sentences: z.array(z.string()).max(4) })

/** The node: reads the state, asks a model, gives back what changes. */
async function summarize(state: PapersState & Readability, context: RunContext) {
  const { query, draft } = state
  if (draft === null) return {}
  const material = JSON.stringify({ question: query, summary: draft.summary })
  const messages = [message(context, 'system', prompt), message(context, 'user', material)]
  const model = context.services.models.forRole('default')
  const { value } = await callModelForObject(context, 'model', model, { messages }, answerSchema)
  const plain = value.sentences.join(' ')
  return {
    draft: { ...draft, summary: `${draft.summary}\n\n## In plain words\n\n${plain}` },
    readability: { before: wordsPerSentence(draft.summary), after: wordsPerSentence(plain) },
  }
}

/** The pipeline with the summarizer in it. */
export function withSummarizer(graph: Graph<PapersState>): Graph<PapersState> {
  return insertNode<PapersState, Readability>(graph, {
    name: 'summarizer',
    node: summarize,
    after: 'synthesizer',
    fields: { readability: replace({ before: 0, after: 0 }) },
  })
}

function message(context: RunContext, role: 'system' | 'user', text: string) {
  const parts = [{ type: 'text' as const, text }]
  return { id: context.id(role), role, parts, createdAt: context.now() }
}

function wordsPerSentence(text: string): number {
  const sentences = text.split(/[.!?]\s/).filter((sentence) => sentence.trim() !== '')
  const words = text.match(/\p{L}+/gu) ?? []
  return Math.round(words.length / Math.max(1, sentences.length))
}
