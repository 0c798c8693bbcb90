import type { PapersAnswer } from '../../app.ts'
import { describePapersEvent, isFailedPaper } from '../progress/describe-papers-event.ts'
import { papersPicture } from '../progress/live-pictures.ts'
import { renderPapers } from '../render/render-papers.ts'
import { tellLimit } from './tell-limit.ts'
import type { WorkflowDisplay } from './workflow-display.ts'

/** Papers: where each is on its way. */
export const papersDisplay: WorkflowDisplay<PapersAnswer> = {
  titleLabel: 'Topic',
  describe: describePapersEvent,
  isToldElsewhere: isFailedPaper,
  picture: papersPicture,
  render: renderPapers,
  tellEnd: tellLimit,
}
