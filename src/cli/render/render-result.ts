import type { RunResult } from '../arguments/app-settings.ts'
import { renderAgentRun } from './render-agent.ts'
import { type AnswerStyle, renderAnswer } from './render-answer.ts'
import { renderCode } from './render-code.ts'
import { renderPapers } from './render-papers.ts'

/** What a run came to, for people. */
export function renderResult(result: RunResult, style: AnswerStyle): string {
  switch (result.workflow) {
    case 'agent':
      return renderAgentRun(result)
    case 'code':
      return renderCode(result, style)
    case 'papers':
      return renderPapers(result, style)
    case 'ask':
      return renderAnswer(result, style)
  }
}
