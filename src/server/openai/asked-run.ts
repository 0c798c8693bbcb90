import type { z } from '@hono/zod-openapi'
import type { FunctionsRequest } from '../../app.ts'
import type { RunRecord } from '../../kernel/run/run-store.ts'
import { listAgents } from '../agent-files.ts'
import type { startRequest } from '../run-schemas.ts'
import { findVisible, type RunSite } from '../run-site.ts'
import type { Principal } from '../tokens.ts'
import { toAnswerText } from './answer-text.ts'
import { isResult, outputOf } from './function-calls.ts'
import { type GivenTools, readFunctions } from './given-functions.ts'
import { OpenAiRequestError } from './openai-error.ts'
import type { GivenMessage } from './openai-schemas.ts'

type StartRequest = z.infer<typeof startRequest>

/** What a program asks a model. */
export interface Asked extends GivenTools {
  readonly model: string
  readonly messages: readonly GivenMessage[]
  readonly instructions?: string | null | undefined
  /** The response that this one follows up on. */
  readonly previous?: string | null | undefined
  /** The form of the output that is asked for: `text`, `json_schema`. */
  readonly format?: string | undefined
}

/** What a question can have, with its context. */
const maxQuestionChars = 20_000

/** The names of the models that programs can use. */
export async function listModels({ policy }: RunSite): Promise<readonly string[]> {
  const agents = await listAgents(policy)
  return ['scholium/ask', 'scholium/papers', ...agents.map((name) => `agent:${name}`)]
}

/** The start of a run that a program asks for. */
export interface AskedStart {
  readonly request: StartRequest | FunctionsStart
  /** What the run is listed as: the question without its context. Default: what its workflow says. */
  readonly title?: string
}

/**
 * The run that a program asks for: the last message of the user is the question. What it follows up on is the response that it names,
 * else the run that the last answer in the conversation links; without one, what was said before becomes part of the question.
 * @throws {@link OpenAiRequestError} for what Scholium cannot do
 */
export async function toStartRequest(
  site: RunSite,
  asked: Asked,
  principal: Principal,
): Promise<AskedStart> {
  if (!(await listModels(site)).includes(asked.model))
    throw new OpenAiRequestError(
      'model_not_found',
      'model',
      `There is no model "${asked.model.slice(0, 100)}". GET /v1/models lists them.`,
    )
  if (asked.format !== undefined && asked.format !== 'text')
    throw refused('text.format', 'Answers are text with citations, not JSON.')
  const web = readWeb(asked)
  const said = asked.messages.map((message) => toSaid(message))
  const last = asked.messages.findLastIndex(({ role }) => role === 'user')
  const question = said[last]?.text.trim() ?? ''
  if (question === '') throw refused('input', 'A message of the user is needed, with text.')
  const before = said.slice(0, last).filter(({ role }) => role !== 'system')
  const functions = readFunctions(asked)
  if (functions.length > 0) {
    const context = said.filter((_, index) => index !== last)
    const request = await toFunctionsRequest(
      site,
      { asked, functions, question, context },
      principal,
    )
    return { request, title: question }
  }
  const settings = web === undefined ? {} : { web }
  if (asked.model.startsWith('agent:'))
    return { request: { ...toAgent(asked, question, before.length > 0), ...settings } }
  const workflow = asked.model === 'scholium/papers' ? 'papers' : 'ask'
  const followed = await findFollowed(site, { asked, workflow, before }, principal)
  const continued = followed === undefined ? {} : { continue: followed.runId }
  const shared = { ...continued, ...settings }
  const rules = [
    asked.instructions ?? '',
    ...said.filter(({ role }) => role === 'system').map(({ text }) => text),
  ].filter((text) => text.trim() !== '')
  if (workflow === 'papers') {
    if (rules.length > 0) throw refused('instructions', 'A review of papers takes no instructions.')
    return { request: { workflow, query: requireShort(question), ...shared } }
  }
  const context = followed === undefined ? before : []
  // The built-in engine would take wishes and earlier messages for questions.
  const isExtractive = site.app.models.planner === 'extractive'
  const text = isExtractive ? requireShort(question) : withContext(question, rules, context)
  return { request: { workflow, question: text, ...shared }, title: question }
}

/** The start of a run with functions of the client. */
export type FunctionsStart = FunctionsRequest & { readonly workflow: 'client-functions' }

/** The model of the operator with functions of the client: what was said before is part of the prompt. */
async function toFunctionsRequest(
  site: RunSite,
  given: {
    readonly asked: Asked
    readonly functions: FunctionsRequest['functions']
    readonly question: string
    readonly context: readonly Said[]
  },
  principal: Principal,
): Promise<FunctionsStart> {
  const { asked, functions, question, context } = given
  if (asked.model !== 'scholium/ask')
    throw refused('tools', `${asked.model} calls no functions of its clients; scholium/ask does.`)
  if (Object.values(site.app.models).every((name) => name === 'extractive'))
    throw refused('tools', 'Functions need a language model, and this server has none.')
  const rules = context.filter(({ role }) => role === 'system').map(({ text }) => text)
  const followed = asked.previous ?? context.findLast(({ runId }) => runId !== undefined)?.runId
  const earlier = followed ? await saidIn(site, followed, principal) : []
  const said = [...earlier, ...context.filter(({ role }) => role !== 'system')]
  const instructions = [asked.instructions ?? '', ...rules].join('\n').trim()
  return {
    workflow: 'client-functions',
    prompt: withContext(question, [], said),
    instructions: instructions === '' ? 'Answer, with the tools if they help.' : instructions,
    functions,
  }
}

/** The question and the answer of a run. */
async function saidIn(site: RunSite, id: string, principal: Principal): Promise<readonly Said[]> {
  const { runId, title } = await findVisible(site, id, principal)
  const result = await site.app.recordedAnswer(runId)
  if (result === undefined) throw refused('previous_response_id', `Run ${runId} has no answer yet.`)
  const { text } = toAnswerText(site.form.of(result), '')
  return [
    { role: 'user', text: title },
    { role: 'assistant', text },
  ]
}

interface Said {
  readonly role: 'user' | 'assistant' | 'system'
  readonly text: string
  /** The run whose answer it stands for. */
  readonly runId?: string
}

function toSaid(message: GivenMessage): Said {
  const { type = 'message', role = '', content, id } = message
  if (type === 'reasoning') return { role: 'assistant', text: '' }
  if (type === 'function_call')
    return { role: 'assistant', text: `I called ${message.name} with ${message.arguments}.` }
  if (isResult(message)) return { role: 'user', text: `The result: ${outputOf(message)}` }
  if (type === 'item_reference') {
    const runId = /^(?:msg|rs|fc_call)_(.+?)(?:_\d+)?$/.exec(id ?? '')?.[1]
    return { role: 'assistant', text: '', runId: runId ?? id ?? '' }
  }
  if (type !== 'message' || !Object.hasOwn(roles, role))
    throw refused('input', `Scholium takes no ${type === 'message' ? role : type} items.`)
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const texts = parts.map((part) => {
    if (textTypes.has(part.type)) return part.text ?? part.refusal ?? ''
    throw refused('input', refusals[part.type] ?? `Scholium takes no ${part.type}.`)
  })
  return { role: roles[role] ?? 'user', text: texts.join('\n') }
}

const roles: Readonly<Record<string, Said['role']>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
}

const textTypes: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text', 'refusal'])

const noImages = 'Scholium reads texts, not images.'
const noFiles = 'Files cannot be sent with a question. Add them to the library first.'
const refusals: Readonly<Record<string, string>> = {
  input_image: noImages,
  image_url: noImages,
  input_file: noFiles,
  file: noFiles,
}

function refused(param: string, message: string): OpenAiRequestError {
  return new OpenAiRequestError('unsupported_value', param, message)
}

/** Whether the web is to be used; `undefined` if the request does not say. `file_search` is what Scholium does anyway. */
function readWeb({ tools, toolChoice }: Asked): boolean | undefined {
  for (const { type } of tools ?? [])
    if (
      toolChoice !== 'none' &&
      type !== 'function' &&
      type !== 'file_search' &&
      !isWebSearch(type)
    )
      throw refused(
        'tools',
        `Scholium has no tools of the type ${type.slice(0, 50)}. Leave them out, or set tool_choice to "none".`,
      )
  const searches = (tools ?? []).filter(({ type }) => isWebSearch(type))
  if (searches.length === 0) return undefined
  return toolChoice !== 'none' && searches.some((tool) => tool.external_web_access !== false)
}

function isWebSearch(type: string): boolean {
  return type.startsWith('web_search')
}

function toAgent(
  { model, previous, instructions }: Asked,
  text: string,
  hasHistory: boolean,
): StartRequest {
  if (previous || instructions || hasHistory)
    throw refused(
      'input',
      'An agent file takes one message: no instructions, and nothing said before.',
    )
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch {
    // It is a plain text.
  }
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return {
    workflow: 'agent',
    agent: model.slice('agent:'.length),
    input: isObject ? { ...(input as object) } : { question: text },
  }
}

/** @throws `run_not_found` for a response that is named and not there */
async function findFollowed(
  site: RunSite,
  { asked, workflow, before }: { asked: Asked; workflow: string; before: readonly Said[] },
  principal: Principal,
): Promise<RunRecord | undefined> {
  const last = before.findLast(({ role }) => role === 'assistant')
  const previous = asked.previous ?? last?.runId
  if (previous) {
    const run = await findVisible(site, previous, principal)
    if (run.workflow === workflow) return run
    throw refused('previous_response_id', `The response ${run.runId} is not one of ${asked.model}.`)
  }
  const id = [...(last?.text ?? '').matchAll(runLink)].at(-1)?.[1]
  if (id === undefined) return undefined
  const run = await findVisible(site, id, principal).catch(() => undefined)
  const canFollow = run?.status === 'answered' || run?.status === 'partial'
  return canFollow && run.workflow === workflow ? run : undefined
}

/** The link to its run at the end of an answer. */
const runLink = /\[Run [\w.-]+\]\([^()\s]*\/runs\/([A-Za-z0-9][\w.-]{0,127})\)/g

function withContext(question: string, rules: readonly string[], before: readonly Said[]): string {
  const wishes = rules.join('\n')
  const parts = [
    question,
    ...(wishes === '' ? [] : [`Wishes for the form of the answer:\n${wishes}`]),
  ]
  const head = requireShort(parts.join('\n\n'))
  const heading = 'Said in this conversation:'
  let room = maxQuestionChars - head.length - heading.length - 4
  const lines: string[] = []
  for (const { role, text } of before.toReversed()) {
    const line = `${role === 'user' ? 'User' : 'Assistant'}: ${text}`
    if (text === '') continue
    room -= line.length + 1
    if (room < 0) break
    lines.unshift(line)
  }
  return lines.length === 0 ? head : [head, [heading, ...lines].join('\n')].join('\n\n')
}

/** @throws for a text that is too long for a question */
function requireShort(text: string): string {
  if (text.length <= maxQuestionChars) return text
  throw refused(
    'input',
    `The question and its instructions are longer than ${maxQuestionChars} characters.`,
  )
}
