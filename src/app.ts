import type { AgentCheck, AgentInspection } from './app/agents/inspect-agent.ts'
import type { ActionSummary } from './app/agents/list-actions.ts'
import type { AgentSource, ReadAgentOptions } from './app/agents/read-agent.ts'
import type { AgentRunOptions } from './app/agents/run-agent.ts'
import type { AppParts } from './app/app-parts.ts'
import type { AskEstimate } from './app/ask/estimate-ask.ts'
import type {
  CodeRequest,
  CodeSession,
  Completions,
  SessionOptions,
  SessionReader,
} from './app/code/public.ts'
import type { Home } from './app/home.ts'
import {
  type AddToLibraryOptions,
  addToLibrary,
  removeFromLibrary,
} from './app/library/library-files.ts'
import type { AddedFile, ReadPlaces, SourceReader } from './app/library/public.ts'
import { rolesInUse } from './app/models/roles.ts'
import type { AppOptions, AskRequest, ExecutionOptions } from './app/options.ts'
import type { PapersRequest } from './app/papers/papers-input.ts'
import type { ReferenceOptions, References } from './app/references/references.ts'
import type { RunDiff } from './app/runs/diff-runs.ts'
import type { ExportedBundle, ExportOptions } from './app/runs/export-run.ts'
import type { ForkOptions, ForkReport } from './app/runs/fork-run.ts'
import type { ReadEvent, ReplayReport, RunFilter, RunGraph } from './app/runs/public.ts'
import type { Cleanup, CleanupRequest } from './app/runs/remove-runs.ts'
import { findRunId } from './app/runs/run-id.ts'
import type { AgentAnswer, PapersAnswer, RunResult } from './app/runs/run-result.ts'
import type { ForkRequest } from './app/workflows/bound-workflow.ts'
import { type AgentDeclaration, type AppAgent, createAgent } from './app/workflows/create-agent.ts'
import type { DefinedWorkflow } from './app/workflows/define-workflow.ts'
import type { RunStream } from './app/workflows/run-stream.ts'
import type { WorkflowRun } from './app/workflows/run-workflow.ts'
import { createAppParts } from './app/workflows/workflow-registry.ts'
import type { Answer } from './ask/result.ts'
import type { Source } from './citations/source.ts'
import { type GraphPicture, renderMermaid } from './graph/draw-graph.ts'
import type { JsonObject } from './kernel/json.ts'
import type { Limits } from './kernel/limits/limits.ts'
import type { EventOf, EventType } from './kernel/run/event.ts'
import type { Place } from './kernel/run/place.ts'
import type { EventFilter, RunRecord } from './kernel/run/run-store.ts'
import { listModelNames } from './models/model-source.ts'
import type { SentSpans } from './observe/otel/telemetry.ts'
import { TraceReader } from './observe/trace-reader.ts'
import type { Hit, ListRequest, SearchRequest } from './retrieval/library.ts'

/** Scholium with one home folder: questions, papers, agents, sessions, runs and the library. Close it when done. */
export class App {
  readonly home: Home
  /** The folder that relative paths start from. */
  readonly folder: string
  /** The limits of each run; those of one run come on top. */
  readonly limits: Limits
  readonly models: Readonly<Record<string, string>>
  private readonly parts: AppParts

  /** @throws `invalid_configuration` for an unknown model, or a workflow whose name is invalid or taken */
  constructor(options: AppOptions = {}) {
    this.parts = createAppParts(options)
    this.home = this.parts.home
    this.folder = this.parts.folder
    this.limits = this.parts.options.limits ?? {}
    this.models = listModelNames(this.parts.modelSource, rolesInUse)
  }

  /**
   * Asks a question and returns its answer. With `continue`, it is a follow-up question to another run.
   * @throws `invalid_input` for a question, a path, a limit or a run that cannot be used, `run_not_found`, `cancelled` (the run can be resumed), `store_failed`
   */
  async ask(request: AskRequest, options: ExecutionOptions = {}): Promise<Answer> {
    return (await import('./app/ask/run-ask.ts')).runAsk(this.parts, request, options)
  }

  /**
   * What a question is expected to take, from earlier questions of the same version, depth and models, without asking it.
   * @throws as {@link App.ask} for a request that cannot be used
   */
  async estimate(request: AskRequest): Promise<AskEstimate> {
    return (await import('./app/ask/estimate-ask.ts')).estimateAsk(this.parts, request)
  }

  /**
   * Finds papers, reads and analyses each, and says what they agree on, where they contradict each other and what they leave open,
   * each point with the pages that say it. With `continue`, it extends another run's papers. If the same was asked before under
   * the same conditions, that result is returned, with `reused` set, unless the request has `fresh`.
   * @throws `invalid_input` for a query, a path, a limit or a run that cannot be used, `run_not_found`, `cancelled` (the run can be resumed), `store_failed`
   */
  async papers(request: PapersRequest, options: ExecutionOptions = {}): Promise<PapersAnswer> {
    return (await import('./app/papers/run-papers.ts')).runPapers(this.parts, request, options)
  }

  /**
   * Runs one of the workflows that the app was created with.
   * @throws `invalid_configuration` for another workflow, `invalid_input` for an input that does not match its schema,
   * `waiting`, `cancelled` (the run can be resumed), `store_failed`, and what the workflow throws
   */
  async run<Input, Output>(
    workflow: DefinedWorkflow<Input, Output>,
    input: Input,
    options: ExecutionOptions = {},
  ): Promise<WorkflowRun<Output>> {
    const { runOwn } = await import('./app/workflows/run-workflow.ts')
    return runOwn(this.parts, workflow, input, options)
  }

  /**
   * Asks a question and streams its events; the last one is the answer. Leaving the loop early interrupts the run, which can be resumed.
   * @throws as {@link App.ask}
   */
  stream(workflow: 'ask', request: AskRequest, options?: ExecutionOptions): RunStream<Answer>
  /** Streams a review of papers in the same way. @throws as {@link App.papers} */
  stream(
    workflow: 'papers',
    request: PapersRequest,
    options?: ExecutionOptions,
  ): RunStream<PapersAnswer>
  /** Streams a run of your own workflow in the same way. @throws as {@link App.run} */
  stream<Input, Output>(
    workflow: DefinedWorkflow<Input, Output>,
    input: Input,
    options?: ExecutionOptions,
  ): RunStream<WorkflowRun<Output>>
  async *stream(
    workflow: 'ask' | 'papers' | DefinedWorkflow<unknown, unknown>,
    input: unknown,
    options: ExecutionOptions = {},
  ): RunStream<unknown> {
    const drive = async (given: ExecutionOptions): Promise<unknown> => {
      if (workflow === 'ask') return this.ask(input as AskRequest, given)
      if (workflow === 'papers') return this.papers(input as PapersRequest, given)
      return this.run(workflow, input, given)
    }
    const { streamRun } = await import('./app/workflows/run-stream.ts')
    return yield* streamRun(this.parts.store, drive, options)
  }

  /**
   * Creates an agent: a model with instructions and tools. Its runs are recorded under its name, and can be resumed, replayed and
   * forked in any app that has created an agent of this name.
   * @throws `invalid_configuration` for a name that is taken, or an unknown model
   */
  createAgent<Output = string>(declaration: AgentDeclaration<Output>): AppAgent<Output> {
    return createAgent(this.parts, declaration)
  }

  /**
   * Runs an agent file.
   * @throws `invalid_agent_file` with all its problems, `invalid_input` for an invalid input, file or limit, `waiting`, `cancelled` (the run can be resumed), `store_failed`
   */
  async runAgent(
    file: AgentSource,
    input: JsonObject = {},
    options: AgentRunOptions = {},
  ): Promise<AgentAnswer> {
    return (await import('./app/agents/run-agent.ts')).runAgent(this.parts, file, input, options)
  }

  /** Starts, resumes or forks a session of the coding agent. @throws as {@link App.ask}, `run_busy` */
  async code(request: CodeRequest = {}, options: SessionOptions = {}): Promise<CodeSession> {
    return (await import('./app/code/open-session.ts')).openSession(this.parts, request, options)
  }

  /** Reads sessions of the coding agent from their logs. */
  async sessions(): Promise<SessionReader> {
    return new (await import('./app/code/session-reader.ts')).SessionReader(this.parts)
  }

  /** Completions for a request to a session: files, and prompts of servers. @throws `run_not_found` on use */
  async completions(request: CodeRequest = {}): Promise<Completions> {
    return new (await import('./app/code/completions.ts')).Completions(this.parts, request)
  }

  /** Checks an agent file without running it. @throws `invalid_input` for a file that cannot be read */
  async validateAgent(file: AgentSource, options: ReadAgentOptions = {}): Promise<AgentCheck> {
    return (await import('./app/agents/inspect-agent.ts')).validateAgent(this.parts, file, options)
  }

  /** The text of an agent file. @throws `invalid_input` for a file that cannot be read */
  async agentText(file: string): Promise<string> {
    return (await import('./app/agents/read-agent.ts')).readAgentText(file, this.folder)
  }

  /** An agent file as it will be run, and diagrams of it. @throws `invalid_agent_file`, `invalid_input` */
  async inspectAgent(file: AgentSource, options: ReadAgentOptions = {}): Promise<AgentInspection> {
    return (await import('./app/agents/inspect-agent.ts')).inspectAgent(this.parts, file, options)
  }

  /** The actions that agent files can name, with their parameters. */
  async listActions(): Promise<readonly ActionSummary[]> {
    return (await import('./app/agents/list-actions.ts')).listActions(this.parts)
  }

  /** Resumes a run. If it has ended, its recorded result is returned. @throws `run_not_found`, `run_busy`, `run_incompatible` under other models, `step_changed` */
  async resume(run: string, options: ExecutionOptions = {}): Promise<RunResult> {
    return (await import('./app/runs/resume-run.ts')).resumeRecorded(this.parts, run, options)
  }

  /** Executes a run's code again with its recorded steps only: no model, tool or network is used. @throws `step_missing`, `step_changed` */
  async replay(run: string): Promise<ReplayReport> {
    return (await import('./app/runs/replay-run.ts')).replayRecorded(this.parts, run)
  }

  /**
   * Starts a new run from a step of another one, with a changed state, question or model. What comes before the step is shared and
   * not repeated; the parent run does not change.
   * @throws `invalid_input` for a step or a field that the run does not have, and as {@link App.ask}
   */
  async fork(
    run: string,
    request: ForkRequest = {},
    options: ForkOptions = {},
  ): Promise<ForkReport> {
    const { forkAnswer } = await import('./app/runs/fork-run.ts')
    return forkAnswer(this.parts, run, request, options)
  }

  /**
   * Compares the answers of two runs (of `ask` or `papers`), claim by claim: which are the same, which differ in wording, sources or
   * verdict, and which only one of them has.
   * @throws `run_not_found`, `invalid_input` for a run without an answer, or of another kind
   */
  async diff(first: string, second: string): Promise<RunDiff> {
    return (await import('./app/runs/diff-runs.ts')).diffRuns(this.parts, first, second)
  }

  /** The key of a run's first call to a model that the app replaces by another: from there, a fork differs. @throws `invalid_input` if there is none */
  async firstChangedCall(run: string): Promise<string> {
    const { firstChangedCall } = await import('./app/runs/fork-run.ts')
    return firstChangedCall(this.parts, await findRunId(this.parts.store, run))
  }

  /** The state of a run after the last node that ended before a step. Default: the initial state. @throws `invalid_input` for an unknown step */
  async stateAt(
    run: string,
    at = '',
  ): Promise<{ readonly place: Place; readonly state: JsonObject }> {
    return (await import('./app/runs/run-state.ts')).readState(this.parts, run, at)
  }

  /** The graph of the question team: Mermaid text, and its nodes and edges. */
  async drawGraph(): Promise<{ readonly mermaid: string; readonly picture: GraphPicture }> {
    const { teamPicture } = await import('./ask/ask.ts')
    return { mermaid: renderMermaid(teamPicture), picture: teamPicture }
  }

  /** The graph of a run with the way that it took. @throws `run_not_found` */
  async runGraph(run: string): Promise<RunGraph> {
    const runId = await findRunId(this.parts.store, run)
    return (await import('./app/runs/run-graph.ts')).readRunGraph(this.parts, runId)
  }

  /** Runs, newest first; the next page is `{ after: lastRun }`. @throws `invalid_input` for a limit below 1 */
  async listRuns(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return (await import('./app/runs/list-runs.ts')).listRuns(this.parts.store, filter)
  }

  /** A run's record. @throws `run_not_found` */
  async showRun(run: string): Promise<RunRecord> {
    return this.parts.store.get(await findRunId(this.parts.store, run))
  }

  /** The command that resumes a run with the rights it was started with: `scholium resume RUN --web`. @throws `run_not_found` */
  async resumeCommand(run: string): Promise<string> {
    const { resumeCommand } = await import('./app/trust/rights.ts')
    return resumeCommand(this.parts, await findRunId(this.parts.store, run))
  }

  /** The ids of the follow-up questions to a run, oldest first, among the newest 200 runs. */
  async followUps(run: string): Promise<readonly string[]> {
    const { findFollowUps } = await import('./app/ask/continue-run.ts')
    return findFollowUps(this.parts.store, await findRunId(this.parts.store, run))
  }

  /** An event with its input and output; a model call with the messages that were sent. @throws `run_not_found`, `invalid_input` */
  async readEvent(run: string, seq: number): Promise<ReadEvent> {
    const runId = await findRunId(this.parts.store, run)
    return (await import('./app/runs/read-event.ts')).readEvent(this.parts.store, runId, seq)
  }

  /** The result of a run that has ended, otherwise `undefined`. */
  async recordedAnswer(run: string): Promise<RunResult | undefined> {
    const runId = await findRunId(this.parts.store, run)
    return (await import('./app/runs/run-result.ts')).recordedResult(this.parts, runId)
  }

  /** Creates the home folder and registers it as this user's, if it does not exist. The first run does this by itself. @throws `store_failed` */
  makeHome(): void {
    this.parts.makeHome()
  }

  /** A run's events, in order. */
  async *events<Type extends EventType = EventType>(
    run: string,
    filter: EventFilter<Type> = {},
  ): AsyncGenerator<EventOf<Type>> {
    yield* this.parts.store.events(await findRunId(this.parts.store, run), filter)
  }

  /**
   * Writes a run with all its sources into one file that can be verified on its own: a bundle.
   * @throws `run_not_found`, `invalid_input` for a file that cannot be written, an invalid key, or a secret in what would be exported
   */
  async exportRun(run: string, options: ExportOptions = {}): Promise<ExportedBundle> {
    return (await import('./app/runs/export-run.ts')).exportRun(this.parts, run, options)
  }

  /** Traces of runs, computed from the log: spans, times, tokens, costs. */
  get traces(): TraceReader {
    return new TraceReader(this.parts.store)
  }

  /** Sends a run's spans to the collectors that the environment names. @throws `invalid_configuration` if it names none */
  async sendTrace(run: string): Promise<SentSpans> {
    const { sendTrace } = await import('./app/runs/trace-telemetry.ts')
    return sendTrace(this.parts, await findRunId(this.parts.store, run))
  }

  /** Removes old runs that have ended, with everything they recorded. */
  async cleanUpRuns(request: CleanupRequest): Promise<Cleanup> {
    return (await import('./app/runs/remove-runs.ts')).removeOldRuns(this.parts, request)
  }

  /** Removes a run with everything it recorded, and returns its id. @throws `run_not_found`, `run_busy` */
  async removeRun(run: string): Promise<string> {
    return (await import('./app/runs/remove-runs.ts')).removeRun(this.parts, run)
  }

  /** Reads files and folders into the library, and yields the outcome for each file. @throws `invalid_input` for a path that does not exist */
  addToLibrary(paths: readonly string[], options?: AddToLibraryOptions): AsyncGenerator<AddedFile> {
    return addToLibrary(this.parts, paths, options)
  }

  /** The library's sources, or those that were read in a folder, sorted by title. */
  async listLibrary(request?: ListRequest): Promise<readonly Source[]> {
    return this.parts.library.list(request)
  }

  /** The library's best passages for a query. */
  async searchLibrary(request: SearchRequest): Promise<readonly Hit[]> {
    return this.parts.library.search(request)
  }

  /** Searches, reads and checks texts against what questions are answered from. */
  async sources(places: ReadPlaces = {}): Promise<SourceReader> {
    return new (await import('./app/library/source-reader.ts')).SourceReader(this.parts, places)
  }

  /** Removes sources from the library by id or path, and returns how many. */
  async removeFromLibrary(idOrPath: string): Promise<number> {
    return removeFromLibrary(this.parts, idOrPath)
  }

  /**
   * A reference list in a citation style or as data.
   * @param from a run (its answer's references with their numbers), `library`, or a BibTeX or CSL-JSON file
   * @throws `run_not_found`, `invalid_input` for a file or a style that cannot be used
   */
  async references(from: string, options: ReferenceOptions = {}): Promise<References> {
    return (await import('./app/references/references-of.ts')).collectReferences(
      this.parts,
      from,
      options,
    )
  }

  /** Closes the stores. */
  async close(): Promise<void> {
    await this.parts.close()
  }
}

/** Creates an app. @throws `invalid_configuration` for an unknown model, or a workflow whose name is invalid or taken */
export function createApp(options: AppOptions = {}): App {
  return new App(options)
}

export type { AgentFeatures } from './app/agents/agent-actions.ts'
export type { AgentCheck, AgentInspection } from './app/agents/inspect-agent.ts'
export type { ActionSummary } from './app/agents/list-actions.ts'
export type { AgentSource, AgentText, ReadAgentOptions } from './app/agents/read-agent.ts'
export type { AgentRunOptions } from './app/agents/run-agent.ts'
export type { AskEstimate, Range } from './app/ask/estimate-ask.ts'
export * from './app/code/public.ts'
export * from './app/library/public.ts'
export * from './app/operator.ts'
export type { AppOptions, AskRequest, ExecutionOptions } from './app/options.ts'
export type { PapersRequest } from './app/papers/papers-input.ts'
export { type PapersForm, renderPapersAs } from './app/papers/render-papers.ts'
export * from './app/questions.ts'
export type { ReferenceFormat, ReferenceOptions, References } from './app/references/references.ts'
export * from './app/runs/public.ts'
export type { Right, RightKind } from './app/trust/right.ts'
export { packageVersion } from './app/version.ts'
export type { ForkRequest } from './app/workflows/bound-workflow.ts'
