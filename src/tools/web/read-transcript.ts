import * as z from 'zod'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import type { Json } from '../../kernel/json.ts'
import { readTranscript } from '../../sources/lookup/youtube/read-transcript.ts'
import { parseVideoId } from '../../sources/lookup/youtube/video-id.ts'
import { keepDocument, textDocument } from './keep-document.ts'
import { about, result, type WebScope } from './read-page.ts'
import { refuse } from './search-tools.ts'
import { lookupFailed } from './unavailable.ts'
import { lookupAccess } from './web-sources.ts'

/** Reads the transcript of a YouTube video that a search found or the user named. */
export function readTranscriptTool(scope: WebScope): Tool {
  return defineTool({
    name: 'read_transcript',
    description:
      'Reads what is said in a video on YouTube, under the number of a result; its passages then have a citation number. Takes no addresses. Read on with read_source.',
    input: z.strictObject({
      result,
      languages: z
        .array(z.string().regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/))
        .max(5)
        .optional()
        .describe('Language codes, the best first; by default the language that is spoken.'),
      about,
    }),
    effect: 'read',
    untrusted: 'results',
    timeoutMs: 100_000,
    async execute({ result, languages, about }, { signal }): Promise<Json> {
      const { url } = scope.placeOf(result)
      const video = parseVideoId(url)
      if (video === undefined)
        return refuse('This is not a YouTube video.', 'Read it with read_page.')
      const access = lookupAccess(scope.web, signal)
      const asked = languages === undefined ? {} : { languages }
      const read = await readTranscript(access, { video, ...asked })
      signal.throwIfAborted()
      if (!read.ok) return lookupFailed(read, url)
      const { transcript } = read
      const { title, channel, durationSeconds } = transcript.video
      const document = textDocument(transcript.text, { title, csl: transcript.item })
      const kept = await keepDocument(scope.library, document, transcript.url, { about })
      return {
        ...kept,
        ...(channel === undefined ? {} : { channel }),
        ...(durationSeconds === undefined ? {} : { durationSeconds }),
        language: transcript.language,
        isGenerated: transcript.isGenerated,
      }
    },
  })
}
