import type { Answer } from '../arguments/app-settings.ts'
import { describeTeamEvent } from '../progress/describe-team-event.ts'
import { askPicture } from '../progress/live-pictures.ts'
import { asObject } from '../render/as-object.ts'
import { renderAnswer } from '../render/render-answer.ts'
import { reduceTeam } from '../render/team-view.ts'
import { tellLimit } from './tell-limit.ts'
import type { WorkflowDisplay } from './workflow-display.ts'

/** Questions: plan, research steps, answer and check. */
export const askDisplay: WorkflowDisplay<Answer> = {
  titleLabel: 'Question',
  describe: describeTeamEvent,
  reduceNode: reduceTeam,
  picture: () => askPicture,
  render: renderAnswer,
  tellEnd: tellLimit,
  withheldText(events, { gaps }) {
    if (!gaps.some(({ kind }) => kind === 'uncited_answer')) return ''
    const texts = events.flatMap(({ type, output }) =>
      type === 'node.done' ? [asObject(asObject(output).answer).text] : [],
    )
    return String(texts.findLast((text) => typeof text === 'string') ?? '')
  },
}
