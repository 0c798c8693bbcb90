import type { RunResult } from '../../app.ts'
import type { LiveEvent, RunEvent } from '../../kernel/run/event.ts'
import type { Invocation } from '../arguments/invocation.ts'
import type { Picture } from '../progress/live-pictures.ts'
import type { AnswerStyle } from '../render/render-answer.ts'
import type { RunView } from '../render/run-view.ts'

/** How the command line shows the runs of one workflow. Shared code never asks for a workflow by name. */
export interface WorkflowDisplay<Result extends RunResult = RunResult> {
  /** What the title of a run is, such as `Topic`. */
  readonly titleLabel: string
  /** Whether the workflow's author named its nodes, so that the names do not say what a node does. */
  readonly hasAuthoredNodes?: true
  /** The progress line of a node or a step; `undefined` if it is of no interest. */
  describe(event: LiveEvent, view: RunView): string | undefined
  /** Whether the event is reported elsewhere and needs no line. */
  isToldElsewhere?(event: LiveEvent): boolean
  /** The view after a node starts or ends, or after a fork, if nodes are parts of the view. */
  reduceNode?(view: RunView, event: LiveEvent): RunView
  /** The drawing on a terminal while the run works. Default: lines. @param history the log of a resumed run so far */
  picture?(history: readonly RunEvent[]): Picture
  /** The result of a recorded run. */
  render(result: Result, style: AnswerStyle): string
  /** The result on stdout at the end of a run. Default: the same as for a recorded one. */
  renderOutput?(result: Result, style: AnswerStyle): string
  /** Prints further remarks to stderr, after the result. */
  tellEnd?(invocation: Invocation, result: Result, view: RunView): void
  /** A model's answer that was withheld; empty for none. */
  withheldText?(events: readonly RunEvent[], result: Result): string
}
