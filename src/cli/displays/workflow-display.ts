import type { RunResult } from '../../app.ts'
import type { LiveEvent, RunEvent } from '../../kernel/run/event.ts'
import type { Invocation } from '../arguments/invocation.ts'
import type { Picture } from '../progress/live-pictures.ts'
import type { AnswerStyle } from '../render/render-answer.ts'
import type { RunView } from '../render/run-view.ts'

/** How the command line shows the runs of one workflow. Nothing shared asks for a workflow by name. */
export interface WorkflowDisplay<Result extends RunResult = RunResult> {
  /** What the title of a run is: `Topic`. */
  readonly titleLabel: string
  /** Whether its nodes are named by whoever wrote the workflow, so that a name says nothing of what a node does. */
  readonly hasAuthoredNodes?: true
  /** The line that tells of a node or a step; `undefined` where there is nothing of interest. */
  describe(event: LiveEvent, view: RunView): string | undefined
  /** Whether something else tells what the event says, so that it gets no line. */
  isToldElsewhere?(event: LiveEvent): boolean
  /** The view after a node began or ended, or after a fork, where nodes are parts of the view. */
  reduceNode?(view: RunView, event: LiveEvent): RunView
  /** What is drawn on a terminal while the run works. Default: lines. @param history the log of a resumed run so far */
  picture?(history: readonly RunEvent[]): Picture
  /** The result of a recorded run. */
  render(result: Result, style: AnswerStyle): string
  /** The result on stdout at the end of a run. Default: as of a recorded one. */
  renderOutput?(result: Result, style: AnswerStyle): string
  /** Tells on stderr, after the result, what else is to be known. */
  tellEnd?(invocation: Invocation, result: Result, view: RunView): void
  /** What a model answered that is not given out as an answer; empty for nothing. */
  withheldText?(events: readonly RunEvent[], result: Result): string
}
