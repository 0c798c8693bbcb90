import type { Tool } from '../../kernel/agent/tool.ts'
import { readPageTool, type WebScope } from './read-page.ts'
import { readTranscriptTool } from './read-transcript.ts'
import { readWikipediaTool } from './read-wikipedia.ts'
import { searchPapersTool } from './search-papers.ts'
import { searchWebTool, searchWikipediaTool } from './search-tools.ts'

/**
 * Tools that search and read beyond the library. They take numbers and words, never an address; what they read becomes a
 * snapshot in the library. Their descriptions do not depend on the configured sources, so that a run can be resumed
 * elsewhere.
 */
export function createWebTools(scope: WebScope): readonly Tool[] {
  const { web } = scope
  const readers = [readPageTool(scope), readWikipediaTool(scope), readTranscriptTool(scope)]
  return [
    searchWebTool(web),
    searchWikipediaTool(web),
    searchPapersTool(web),
    ...readers.map((tool) => withRange(tool, scope)),
  ]
}

/** A reader that names the valid numbers when called with another. */
function withRange(tool: Tool, scope: WebScope): Tool {
  return {
    ...tool,
    parse(value) {
      const parsed = tool.parse(value)
      if (parsed.ok) return parsed
      const reason = `${parsed.reason}\nIt takes numbers, never addresses. ${scope.rangeText()}`
      return { ok: false, reason }
    },
  }
}
