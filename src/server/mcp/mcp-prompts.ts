import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const rules =
  'Keep the citation numbers and list the sources at the end. Say which claims are not supported by their source, and what is missing. Do not add facts of your own.'

/** Adds prompts that a person can choose. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'answer_with_citations',
    {
      title: 'Answer with citations',
      description: 'Answers a question from your files, with checked citations.',
      argsSchema: z.object({ question: z.string().describe('The question.') }),
    },
    ({ question }) => said(`Answer this question with the tool "ask". ${rules}\n\n${question}`),
  )
  server.registerPrompt(
    'review_papers',
    {
      title: 'Review papers on a topic',
      description: 'Compares papers: consensus, contradictions, open questions.',
      argsSchema: z.object({ topic: z.string().describe('The topic.') }),
    },
    ({ topic }) =>
      said(
        `Review the papers on this topic with the tool "papers", then summarise its report. ${rules}\n\n${topic}`,
      ),
  )
  server.registerPrompt(
    'check_text',
    {
      title: 'Check the citations of a text',
      description: 'Checks whether the cited sources say what a text says.',
      argsSchema: z.object({ text: z.string().describe('A text with citations.') }),
    },
    ({ text }) =>
      said(
        `Check this text with the tool "verify_text". List each sentence that its source does not support, with the reason, and propose a correction in the words of the source (read_source).\n\n${text}`,
      ),
  )
}

function said(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}
