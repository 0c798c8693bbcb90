import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import { type Agent, type AgentOutcome, runAgent } from '../kernel/agent/agent-loop.ts'
import type { Message, ToolResultPart } from '../kernel/agent/message.ts'
import { endsAt, type Failure, toFailure } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { stopPart, stoppablePart } from '../kernel/run/stoppable-part.ts'
import { createMessage } from '../team/conversation.ts'
import { Compactor } from './compact.ts'
import { fallbackAnswer } from './fallback-answer.ts'
import { isFoundDone } from './file-changes.ts'
import { isKnownAddress } from './known-address.ts'
import { requestMessage } from './mentions.ts'
import { permitCall } from './permit.ts'
import { requestPictures } from './request-pictures.ts'
import type { SessionAgent } from './session-agents.ts'
import { researchName } from './session-sources.ts'
import type { CodeSettings } from './settings.ts'
import type { TurnEnd, TurnSite } from './site.ts'
import type { TurnOutcome, TurnPatch } from './state.ts'
import { stoppedMessages } from './stopped-turn.ts'
import { thoughtsOf } from './thoughts.ts'
import type { CodeTool } from './tools/code-tool.ts'
import type { TurnAnswer } from './turn-answer.ts'
import { TurnRecord } from './turn-record.ts'

/** A turn's patch without what every turn has. */
type OwnPatch = Omit<TurnPatch, 'turn' | 'kind' | 'messages'>

type Request = Extract<TurnAnswer, { kind: 'prompt' }>

/** Works on a request: the agent's loop in a part that the person may stop, and what is left of it however it ends. */
export async function requestTurn(site: TurnSite, request: Request): Promise<TurnEnd<OwnPatch>> {
  const { context, driver, agents, state } = site
  const agent = await agents.agentOf(context, state.settings)
  const record = new TurnRecord(agent.tools, state, site.emit)
  agents.record = record
  const control = new AbortController()
  const part = stoppablePart(context, 'agent', control.signal)
  driver.onTurn?.(async () => {
    await stopPart(context, 'agent', 'The person stopped the turn.')
    control.abort()
  })
  const work = new RequestWork(site, request, agent, record)
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

/** Whether an error is the run's: a session goes on after its limits and what a model or a service failed at. */
function endsRun(error: unknown, { path }: RunContext): boolean {
  return endsAt(error, path) && toFailure(error).code !== 'limit_reached'
}

/** A failure with advice on its session in the place of that on other runs: to say it again, and by which command where nobody is there. */
function ofSession(failure: Failure, command: string | undefined): Failure {
  const { hint } = failure
  if (hint === undefined) return failure
  const goOn = command === undefined ? '' : ' -p "go on"'
  const named = hint.replace(
    /\bscholium resume (\S+(?: --[\w-]+ \S+)*)/,
    `scholium code --resume $1${goOn}`,
  )
  const again = named
    .replace('Resume the run', 'Say it again')
    .replace('resume the run', 'say it again')
    .replace('The run can be resumed', 'It can be said again')
  const way = again === named || command === undefined ? '' : ` Go on with: ${command}`
  return { ...failure, hint: `${again}${way}` }
}

const folderWords = 'the instructions of a folder that the person has not trusted'
const cutText =
  'The answer was cut off at its maximal length. Say "go on" for the rest of it, or ask for less at once.'

/** One request while it is worked on. */
class RequestWork {
  private readonly site: TurnSite
  private readonly request: Request
  private readonly agent: SessionAgent
  private readonly record: TurnRecord
  private readonly compactor: Compactor
  private settings: CodeSettings
  private conversation: readonly Message[]
  private isTainted: boolean

  constructor(site: TurnSite, request: Request, agent: SessionAgent, record: TurnRecord) {
    this.site = site
    this.request = request
    this.agent = agent
    this.record = record
    this.settings = site.state.settings
    this.conversation = site.conversation
    this.isTainted = site.state.isTainted || site.instructions.isForeign === true
    this.compactor = new Compactor(site, agent, ({ told, isForeign }) => {
      this.isTainted ||= isForeign
      record.notes.push(told)
    })
  }

  async run(part: RunContext): Promise<TurnEnd<OwnPatch>> {
    const before = this.conversation
    const { text } = this.request
    this.conversation = [...before, createMessage(part, 'user', text)]
    const { message, isForeign, notices } = await requestMessage(this.site, part, this.request)
    await this.tell(part, notices)
    const pictures = await requestPictures(part, this.agent.model, this.request.pictures ?? [])
    this.conversation = [...before, { ...message, parts: [...message.parts, ...pictures] }]
    this.isTainted ||= isForeign
    const ended = await this.worked(part)
    this.conversation = ended.messages.slice(1)
    if (ended.isCut) await this.tell(part.child('cut'), [cutText])
    return ended.stopReason === 'answer' ? this.answered(ended) : this.atMaxSteps()
  }

  /** Tells the person, and keeps it for those who read the result. */
  private async tell(part: RunContext, notices: readonly string[]): Promise<void> {
    for (const [index, text] of notices.entries()) {
      await part.notice(`told[${index + 1}]`, 'warning', text)
      this.site.emit({ type: 'notice', level: 'warning', text })
      this.record.notices.push(text)
    }
  }

  /** The agent's loop; where the model refuses the conversation as too long, it goes on with a shorter one, once for each call. */
  private async worked(part: RunContext): Promise<AgentOutcome> {
    const { record, compactor } = this
    let inPart = part
    for (let shorter = 1; ; shorter++) {
      const { modelCalls } = record
      try {
        return await runAgent(inPart, this.loop(), [this.site.system, ...this.conversation])
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

  /** What is left of a request that the person stopped: what was finished, and what the model was saying. */
  stopped(error: unknown): TurnEnd<OwnPatch> {
    const { context } = this.site
    const partial = toFailure(error).details?.partial as { text?: string } | undefined
    const left = stoppedMessages(context, this.record.open, partial?.text ?? '', this.presented)
    const text = partial?.text?.trim() ?? ''
    return this.ended('cancelled', text, left)
  }

  failed(failure: Failure): TurnEnd<OwnPatch> {
    const isLimit = failure.code === 'limit_reached'
    const left = stoppedMessages(this.site.context, this.record.open, '', this.presented)
    const answer = isLimit ? this.fallback('limit', failure.message) : ''
    const { runId } = this.site.context.services.journal
    const command =
      this.request.isUnattended === true ? `scholium code --resume ${runId} -p "go on"` : undefined
    return this.ended(isLimit ? 'limit' : 'failed', answer, left, ofSession(failure, command))
  }

  private answered({ text, messages, isCut }: AgentOutcome): TurnEnd<OwnPatch> {
    const last = messages.at(-1) as Message
    const said = last.role === 'assistant' ? thoughtsOf(last).text : text
    return this.ended(isCut ? 'length' : 'answer', said === '' ? text : said, [])
  }

  private atMaxSteps(): TurnEnd<OwnPatch> {
    const answer = this.fallback('max_steps', '')
    const told = answer === '' ? [] : [createMessage(this.site.context, 'assistant', answer)]
    return this.ended('max_steps', answer, told)
  }

  private fallback(why: 'max_steps' | 'limit', detail: string): string {
    const { hasFallback, verbosity, maxSteps } = this.settings
    if (!hasFallback) return ''
    const request = this.request.text
    return fallbackAnswer({ why, detail, request, maxSteps, ...this.record.facts }, verbosity)
  }

  private ended(
    outcome: TurnOutcome,
    answer: string,
    left: readonly Message[],
    failure?: Failure,
  ): TurnEnd<OwnPatch> {
    const { state } = this.site
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
      ...(this.site.instructions.isForeign === true ? { taintedBy: folderWords } : {}),
      present: this.presented,
      permit: (call) => permitCall(this.permitSite, call),
      onMade: (made) => record.hear(made),
      beforeCall: async (context, messages) => {
        const sent = await this.compactor.beforeCall(context, messages)
        this.conversation = sent.slice(1)
        record.open = undefined
        return sent
      },
    }
  }

  private get permitSite() {
    const { site, record } = this
    return {
      files: site.parts.files(site.input.workspace),
      isUnattended: this.request.isUnattended === true,
      isReduced: site.isReduced,
      settings: () => this.settings,
      allowed: site.agents.allowed,
      isKnownAddress: (address: string) => {
        const before = site.state.turns.map(({ prompt = '' }) => prompt)
        const requests = [...before, this.request.text]
        return isKnownAddress(address, { requests, conversation: this.conversation })
      },
      toolsUnder: (rules: Pick<CodeSettings, 'allow' | 'deny'>) => site.agents.toolsUnder(rules),
      onAllow: record.onAllow.bind(record),
      onRefused: record.onRefused.bind(record),
      onAllowed: (rules: readonly string[]) => {
        const allow = [...new Set([...this.settings.allow, ...rules])]
        this.settings = { ...this.settings, allow }
      },
    }
  }

  /** A result as a model reads it best. */
  private readonly presented = (result: ToolResultPart): ToolResultPart => {
    const tool = this.agent.tools.get(result.toolName) as CodeTool | undefined
    const { isError, output } = result
    if (tool?.name === researchName) return this.record.number(result)
    if (isError === true || tool?.present === undefined) return result
    if (isFoundDone(output)) return { ...result, output: (output as JsonObject).note as string }
    return { ...result, output: tool.present(output) }
  }
}
