import { type CodeSettings, defaultSettings } from '../../code/settings.ts'
import { explainSlash, parseSlash, renderSlashHelp, type SlashName } from '../../code/slash.ts'
import type { PastTurn, SessionState } from '../../code/state.ts'
import { gitWithoutPrograms } from '../../code/tools/processes/command-environment.ts'
import type { SettingsChange, TurnAnswer } from '../../code/turn-answer.ts'
import { ScholiumError, toFailure } from '../../kernel/errors.ts'
import { sumAccounts } from '../../kernel/run/accounts.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import { findContextWindow } from '../../models/model-capabilities.ts'
import { listPrompts, listResources } from '../../tools/mcp/resources.ts'
import type { AppParts } from '../app-parts.ts'
import { exportRun } from '../runs/export-run.ts'
import { recordedConditions } from '../runs/recorded-conditions.ts'
import { formatConversation, sessionInput } from './session-messages.ts'
import { codeWorkflowName } from './session-place.ts'

/** The outcome of a slash command. */
export interface SlashReport {
  /** For people; several lines. */
  readonly text: string
  /** The turn, if it changed the session. */
  readonly turn?: PastTurn
  /** What the caller must do: exit, or open another session in place of this one. */
  readonly action?:
    | { readonly kind: 'exit' }
    | { readonly kind: 'resume'; readonly run: string }
    | { readonly kind: 'fork'; readonly run: string; readonly turn?: number }
}

/** A tool as a session lists it. */
export type ListedTool = {
  readonly name: string
  readonly description: string
  readonly effect: string
}

/** What slash commands need from a session. */
export interface SlashSession {
  readonly runId: string
  readonly state: SessionState | undefined
  readonly tools: readonly ListedTool[]
  send(answer: TurnAnswer): Promise<PastTurn>
}

type Effect = (
  session: SlashSession,
  argument: string,
  parts: AppParts,
) => Promise<SlashReport> | SlashReport

/**
 * Runs a slash command. An unknown one says so in its text; a server's prompt is sent as a request.
 * @throws `invalid_input` for an invalid argument, and what sending throws
 */
export async function runSlash(
  parts: AppParts,
  session: SlashSession,
  line: string,
): Promise<SlashReport> {
  const slash = parseSlash(line)
  if (slash === undefined) throw new ScholiumError('invalid_input', 'That is not a slash command.')
  if (slash.kind === 'prompt')
    return told(await session.send({ kind: 'prompt', text: line.trim() }))
  if (slash.kind !== 'command') return { text: explainSlash(slash) ?? '' }
  return effects[slash.name](session, slash.argument, parts)
}

const effects: Readonly<Record<SlashName, Effect>> = {
  help: () => ({ text: renderSlashHelp() }),
  model: async (session, name, parts) =>
    name === '' ? { text: await modelText(session, parts) } : set(session, { model: name }),
  thoughts: (session, word) =>
    set(session, { showThoughts: onOff(word, !formatSettings(session).showThoughts) }),
  yolo: (session, word) => set(session, { isYolo: onOff(word, !formatSettings(session).isYolo) }),
  iterations: (session, number) =>
    number === ''
      ? { text: `${formatSettings(session).maxSteps} model calls per request at most` }
      : set(session, { maxSteps: wholeNumber(number) }),
  clear: async (session) => told(await session.send({ kind: 'clear' })),
  compact: async (session, focus) =>
    told(await session.send({ kind: 'compact', ...(focus === '' ? {} : { focus }) })),
  undo: async (session) => told(await session.send({ kind: 'undo' })),
  cost: async ({ runId }, _none, parts) => ({ text: await costText(runId, parts) }),
  limits: async ({ runId }, _none, parts) => ({ text: await limitsText(runId, parts) }),
  resume: async (_session, run, parts) =>
    run === ''
      ? { text: await sessionsText(parts) }
      : { text: '', action: { kind: 'resume', run } },
  fork: ({ runId }, turn) => ({
    text: '',
    action: { kind: 'fork', run: runId, ...(turn === '' ? {} : { turn: wholeNumber(turn) }) },
  }),
  dump: async ({ runId, state }, _none, parts) => ({
    text: await formatConversation(parts.store, runId, state?.messages ?? []),
  }),
  tools: ({ tools }) => ({ text: toolsText(tools) }),
  mcp: async ({ runId }, _none, parts) => ({ text: await mcpOverview(parts, runId) }),
  branch: async (session, name) =>
    told(await session.send({ kind: 'command', command: branchCommand(name) })),
  export: async ({ runId }, file, parts) => {
    const { path, root } = await exportRun(parts, runId, file === '' ? {} : { file })
    return { text: `Written: ${path}\nRoot hash: ${root}` }
  },
  exit: () => ({ text: '', action: { kind: 'exit' } }),
}

function told(turn: PastTurn): SlashReport {
  return { text: turn.answer, turn }
}

async function set(session: SlashSession, change: SettingsChange): Promise<SlashReport> {
  return told(await session.send({ kind: 'settings', change }))
}

function formatSettings({ state }: SlashSession): CodeSettings {
  return state?.settings ?? defaultSettings
}

function onOff(word: string, otherwise: boolean): boolean {
  if (word === '') return otherwise
  if (word === 'on' || word === 'off') return word === 'on'
  throw new ScholiumError('invalid_input', `"${word}" is neither on nor off.`)
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number > 0) return number
  throw new ScholiumError('invalid_input', `"${text}" is not a whole number of at least 1.`)
}

/** @throws `invalid_input` for a name that no branch can have, or that a shell would take for more */
function branchCommand(name: string): string {
  if (name === '') return 'git branch --show-current'
  if (/^[A-Za-z\d][\w./-]*$/.test(name) && !/\.\.|\/\/|[./]$/.test(name))
    return `${gitWithoutPrograms} switch -c ${name}`
  throw new ScholiumError('invalid_input', `"${name}" is not a valid branch name.`)
}

async function modelText(session: SlashSession, parts: AppParts): Promise<string> {
  const { models, contextTokens } = await recordedConditions(parts.store, session.runId)
  const name = formatSettings(session).model ?? models.default ?? ''
  const known = findContextWindow(name)
  const told = contextTokens[name]
  const tokens = told ?? known.tokens
  const from = told === undefined ? (known.source ?? 'assumed') : 'as its server says'
  return `${name}\nWindow: ${tokens} tokens (${from})`
}

async function costText(runId: string, { store }: AppParts): Promise<string> {
  const used = await sumAccounts(store.events(runId, { withOutput: false }))
  const { inputTokens, cachedInputTokens, outputTokens, modelCalls, toolCalls, costUsd, wallMs } =
    used
  const cached = cachedInputTokens === undefined ? '' : `, ${cachedInputTokens} of them cached`
  const dollars = costUsd === null ? 'price unknown' : `$${costUsd.toFixed(4)}`
  return `${inputTokens + outputTokens} tokens (${inputTokens} in${cached}, ${outputTokens} out), ${modelCalls} model calls, ${toolCalls} tool calls, ${(wallMs / 1_000).toFixed(1)} s of work, ${dollars}`
}

async function limitsText(runId: string, { store }: AppParts): Promise<string> {
  const { limits } = await recordedConditions(store, runId)
  const lines = Object.entries(limits).map(([name, value]) => `${name}: ${value}`)
  return lines.length === 0
    ? 'No limits are set. Set them with --max-tokens, --max-cost-usd …'
    : lines.join('\n')
}

const mostListed = 20
const mostTitleUnits = 60

async function sessionsText({ store }: AppParts): Promise<string> {
  const runs = (await store.list({ limit: 200 })).filter(
    ({ workflow }) => workflow === codeWorkflowName,
  )
  const lines = runs
    .slice(0, mostListed)
    .map(({ runId, status, title }) => `${runId}  ${status}  ${shortTitle(title)}`)
  return lines.length === 0 ? 'There are no sessions.' : lines.join('\n')
}

/** The beginning of what may be a whole task, on one line. */
function shortTitle(title: string): string {
  return cutText(title.replaceAll(/\s+/g, ' ').trim(), mostTitleUnits)
}

function toolsText(tools: readonly ListedTool[]): string {
  const lines = tools.map(({ name, description, effect }) => {
    const [first = ''] = description.split(/(?<=\.)\s/)
    return `${name}${effect === 'write' ? ' (writes)' : ''}: ${first}`
  })
  return lines.join('\n')
}

const timeoutMs = 30_000

/** The MCP servers of a session with their resources and prompts, for people. */
async function mcpOverview(parts: AppParts, runId: string): Promise<string> {
  const { mcp } = await sessionInput(parts.store, runId)
  if (mcp.length === 0)
    return 'This session uses no MCP servers. To use the configured ones, start it with --mcp.'
  const blocks = await Promise.all(mcp.map((name) => serverText(parts, name)))
  return blocks.join('\n')
}

async function serverText(parts: AppParts, name: string): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const server = await parts.mcp.server(name)
    const resources = (await listResources(server, signal)).items
    const prompts = (await listPrompts(server, signal)).items
    return [
      name,
      ...resources.map(({ uri, title, name: own }) => `  @${name}:${uri}  ${title ?? own ?? ''}`),
      ...prompts.map((prompt) => `  /${name}:${prompt.name}  ${prompt.description ?? ''}`),
    ].join('\n')
  } catch (error) {
    return `${name}: could not be reached: ${toFailure(error).message}`
  }
}
