import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import { type Agent, type AgentOutcome, runAgent } from '../kernel/agent/agent-loop.ts'
import { type Message, type ToolResultPart, toolCallsOf } from '../kernel/agent/message.ts'
import { endsAt, type Failure, toFailure } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import { cancelScope, createCancellationScope } from '../kernel/run/cancellation-scope.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { createMessage } from '../team/conversation.ts'
import { Compactor } from './compact.ts'
import { renderFallbackAnswer } from './fallback-answer.ts'
import { wasFoundDone } from './file-changes.ts'
import { isKnownAddress } from './known-address.ts'
import { permitCall } from './permission.ts'
import { createRequestMessage, toImageParts } from './request-message.ts'
import type { SessionAgent } from './session-agents.ts'
import { researchName } from './session-sources.ts'
import type { CodeSettings } from './settings.ts'
import type { TurnOutcome } from './state.ts'
import { separateThoughts } from './thoughts.ts'
import type { CodeTool } from './tools/code-tool.ts'
import type { TurnAnswer } from './turn-answer.ts'
import type { TurnContext, TurnEnd } from './turn-context.ts'
import { TurnRecord } from './turn-record.ts'

type Request = Extract<TurnAnswer, { kind: 'prompt' }>

/** Handles a request: runs the agent loop so that the person can stop it, and keeps what was done however it ends. */
export async function runRequestTurn(scope: TurnContext, request: Request): Promise<TurnEnd> {
  const { context, driver, agents, state } = scope
  const agent = await agents.getAgent(context, state.settings)
  const record = new TurnRecord(agent.tools, state, scope.emit)
  agents.record = record
  const control = new AbortController()
  const part = createCancellationScope(context, 'agent', control.signal)
  driver.onTurn?.(async () => {
    await cancelScope(context, 'agent', 'The person stopped the turn.')
    control.abort()
  })
  const work = new RequestWork(scope, request, agent, record)
  try {
    return await work.run(part)
  } catch (error) {
    if (!context.signal.aborted && part.stop !== undefined && toFailure(error).code === 'cancelled')
      return work.stopped(error)
    if (endsRun(error, context)) throw error
    return work.failed(toFailure(error))
  } finally {
    driver.onTurn?.(undefined)
  }
}

/** Whether an error ends the run. A session continues after a limit and after failures of models and services. */
function endsRun(error: unknown, { path }: RunContext): boolean {
  return endsAt(error, path) && toFailure(error).code !== 'limit_reached'
}

/** Rewrites a failure's hint for a session: how to repeat the request, and with which command if nobody is there. */
function adaptHint(failure: Failure, command: string | undefined): Failure {
  const { hint } = failure
  if (hint === undefined) return failure
  const goOn = command === undefined ? '' : ' -p "continue"'
  const named = hint.replace(
    /\bscholium resume (\S+(?: --[\w-]+ \S+)*)/,
    `scholium code --resume $1${goOn}`,
  )
  const again = named
    .replace('Resume the run', 'Say it again')
    .replace('resume the run', 'say it again')
    .replace('The run can be resumed', 'It can be said again')
  const way = again === named || command === undefined ? '' : ` Continue with: ${command}`
  return { ...failure, hint: `${again}${way}` }
}

const untrustedFolderReason = 'the instructions of a folder that the person has not trusted'
const cutText =
  'The answer was cut off at its maximum length. Say "continue" for the rest, or ask for less at once.'

/** One request in progress. */
class RequestWork {
  private readonly scope: TurnContext
  private readonly request: Request
  private readonly agent: SessionAgent
  private readonly record: TurnRecord
  private readonly compactor: Compactor
  private settings: CodeSettings
  private conversation: readonly Message[]
  private isTainted: boolean

  constructor(scope: TurnContext, request: Request, agent: SessionAgent, record: TurnRecord) {
    this.scope = scope
    this.request = request
    this.agent = agent
    this.record = record
    this.settings = scope.state.settings
    this.conversation = scope.conversation
    this.isTainted = scope.state.isTainted || scope.instructions.isForeign === true
    this.compactor = new Compactor(scope, agent, ({ note, isForeign }) => {
      this.isTainted ||= isForeign
      record.notes.push(note)
    })
  }

  async run(part: RunContext): Promise<TurnEnd> {
    const before = this.conversation
    const { text } = this.request
    this.conversation = [...before, createMessage(part, 'user', text)]
    const { message, isForeign, notices } = await createRequestMessage(
      this.scope,
      part,
      this.request,
    )
    await this.tell(part, notices)
    const pictures = await toImageParts(part, this.agent.model, this.request.pictures ?? [])
    this.conversation = [...before, { ...message, parts: [...message.parts, ...pictures] }]
    this.isTainted ||= isForeign
    const ended = await this.worked(part)
    this.conversation = ended.messages.slice(1)
    if (ended.isCut) await this.tell(part.child('cut'), [cutText])
    return ended.stopReason === 'answer' ? this.answered(ended) : this.atMaxSteps()
  }

  /** Tells the person and keeps the notice for the result. */
  private async tell(part: RunContext, notices: readonly string[]): Promise<void> {
    for (const [index, text] of notices.entries()) {
      await part.notice(`told[${index + 1}]`, 'warning', text)
      this.scope.emit({ type: 'notice', level: 'warning', text })
      this.record.notices.push(text)
    }
  }

  /**
   * Runs the agent loop. If the model refuses the conversation as too long, it is compacted and retried once per call.
   */
  private async worked(part: RunContext): Promise<AgentOutcome> {
    const { record, compactor } = this
    let inPart = part
    for (let shorter = 1; ; shorter++) {
      const { modelCalls } = record
      try {
        return await runAgent(inPart, this.loop(), [this.scope.system, ...this.conversation])
      } catch (error) {
        const failure = toFailure(error)
        const isAgain = shorter > 1 && record.modelCalls === modelCalls
        if (isAgain || failure.details?.reason !== 'context_too_long') throw error
        const after = part.child(`shorter[${shorter}]`)
        const compacted = await compactor.afterRefusal(after, this.conversation, failure)
        if (compacted === undefined) throw error
        this.conversation = compacted.messages
        inPart = after.child('agent')
      }
    }
  }

  /** The end of a request that the person stopped: completed work and the model's partial text. */
  stopped(error: unknown): TurnEnd {
    const { context } = this.scope
    const partial = toFailure(error).details?.partial as { text?: string } | undefined
    const left = createStoppedMessages(
      context,
      this.record.open,
      partial?.text ?? '',
      this.presented,
    )
    const text = partial?.text?.trim() ?? ''
    return this.ended('cancelled', text, left)
  }

  failed(failure: Failure): TurnEnd {
    const isLimit = failure.code === 'limit_reached'
    const left = createStoppedMessages(this.scope.context, this.record.open, '', this.presented)
    const answer = isLimit ? this.fallback('limit', failure.message) : ''
    const { runId } = this.scope.context.services.journal
    const command =
      this.request.isUnattended === true
        ? `scholium code --resume ${runId} -p "continue"`
        : undefined
    return this.ended(isLimit ? 'limit' : 'failed', answer, left, adaptHint(failure, command))
  }

  private answered({ text, messages, isCut }: AgentOutcome): TurnEnd {
    const last = messages.at(-1) as Message
    const said = last.role === 'assistant' ? separateThoughts(last).text : text
    return this.ended(isCut ? 'length' : 'answer', said === '' ? text : said, [])
  }

  private atMaxSteps(): TurnEnd {
    const answer = this.fallback('max_steps', '')
    const told = answer === '' ? [] : [createMessage(this.scope.context, 'assistant', answer)]
    return this.ended('max_steps', answer, told)
  }

  private fallback(why: 'max_steps' | 'limit', detail: string): string {
    const { hasFallback, verbosity, maxSteps } = this.settings
    if (!hasFallback) return ''
    const request = this.request.text
    return renderFallbackAnswer({ why, detail, request, maxSteps, ...this.record.facts }, verbosity)
  }

  private ended(
    outcome: TurnOutcome,
    answer: string,
    left: readonly Message[],
    failure?: Failure,
  ): TurnEnd {
    const { state } = this.scope
    const conversation = [...this.conversation, ...left]
    const patch = {
      ...this.record.patch(),
      outcome,
      answer: toInertMarkdown(answer),
      prompt: this.request.text,
      ...(this.settings === state.settings ? {} : { settings: this.settings }),
      ...(this.isTainted === state.isTainted ? {} : { isTainted: this.isTainted }),
      ...(failure === undefined ? {} : { failure }),
    }
    return { patch, conversation }
  }

  private loop(): Agent {
    const { record, agent } = this
    return {
      model: agent.model,
      tools: agent.tools,
      maxTurns: this.settings.maxSteps - record.modelCalls,
      inOrder: true,
      isTainted: this.isTainted,
      ...(this.scope.instructions.isForeign === true ? { taintedBy: untrustedFolderReason } : {}),
      present: this.presented,
      permit: (call) => permitCall(this.permissionContext, call),
      onMade: (made) => record.add(made),
      beforeCall: async (context, messages) => {
        const sent = await this.compactor.beforeCall(context, messages)
        this.conversation = sent.slice(1)
        record.open = undefined
        return sent
      },
    }
  }

  private get permissionContext() {
    const { scope, record } = this
    return {
      files: scope.parts.files(scope.input.workspace),
      isUnattended: this.request.isUnattended === true,
      isReduced: scope.isReduced,
      settings: () => this.settings,
      allowed: scope.agents.allowed,
      isKnownAddress: (address: string) => {
        const before = scope.state.turns.map(({ prompt = '' }) => prompt)
        const requests = [...before, this.request.text]
        return isKnownAddress(address, { requests, conversation: this.conversation })
      },
      toolsUnder: (rules: Pick<CodeSettings, 'allow' | 'deny'>) => scope.agents.getTools(rules),
      onAllow: record.onAllow.bind(record),
      onRefused: record.onRefused.bind(record),
      onAllowed: (rules: readonly string[]) => {
        const allow = [...new Set([...this.settings.allow, ...rules])]
        this.settings = { ...this.settings, allow }
      },
    }
  }

  /** A result in the form the model reads best. */
  private readonly presented = (result: ToolResultPart): ToolResultPart => {
    const tool = this.agent.tools.get(result.toolName) as CodeTool | undefined
    const { isError, output } = result
    if (tool?.name === researchName) return this.record.renumber(result)
    if (isError === true || tool?.present === undefined) return result
    if (wasFoundDone(output)) return { ...result, output: (output as JsonObject).note as string }
    return { ...result, output: tool.present(output) }
  }
}

/** The model's last tool calls and the results received so far. */
interface PendingCalls {
  readonly message: Message
  readonly results: readonly ToolResultPart[]
}

/** Placeholder for the result of a stopped call. */
const stoppedCallOutput =
  'The turn was stopped. This call may have been begun or not: look before you rely on either.'

/**
 * The messages that a stopped request leaves: completed work stays, each call without a result gets one that says so,
 * and partial text is kept.
 */
export function createStoppedMessages(
  context: RunContext,
  open: PendingCalls | undefined,
  partialText: string,
  present: (result: ToolResultPart) => ToolResultPart,
): readonly Message[] {
  if (open === undefined)
    return [createMessage(context, 'assistant', formatEndedEarly(partialText))]
  const { message, results } = open
  const calls = toolCallsOf(message)
  if (calls.length === 0) return [message]
  const parts = calls.map(({ toolCallId, toolName }): ToolResultPart => {
    const made = results.find((result) => result.toolCallId === toolCallId)
    if (made !== undefined) return present(made)
    return { type: 'tool-result', toolCallId, toolName, output: stoppedCallOutput, isError: true }
  })
  const { createdAt } = message
  return [
    message,
    { id: context.id('tools'), role: 'tool', parts, createdAt },
    createMessage(context, 'assistant', formatEndedEarly('')),
  ]
}

function formatEndedEarly(partial: string): string {
  const note = '(This turn ended here, before it was finished.)'
  return partial.trim() === '' ? note : `${partial.trim()}\n\n${note}`
}
