import type { Message } from '../kernel/agent/message.ts'
import { endsAt, toFailure } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import { cancelScope, createCancellationScope } from '../kernel/run/cancellation-scope.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { createMessage } from '../team/conversation.ts'
import { Compactor } from './compact.ts'
import { createSystemMessage, withdrawTrust } from './instructions.ts'
import { runRequestTurn } from './request-turn.ts'
import type { CodeTool } from './tools/code-tool.ts'
import { parseTurnAnswer, type SettingsChange, type TurnAnswer } from './turn-answer.ts'
import type { OwnPatch, TurnContext, TurnEnd } from './turn-context.ts'
import { runUndoTurn } from './undo-turn.ts'

/** Runs one turn: reads what the person says and carries it out. @throws `waiting` if nobody says anything */
export async function runTurn(
  scope: TurnContext,
): Promise<TurnEnd & { readonly kind: TurnAnswer['kind'] }> {
  const { context, turn, emit } = scope
  const answer = parseTurnAnswer(await context.ask('prompt', { kind: 'turn', turn }))
  const { kind } = answer
  emit({ type: 'turn.started', turn, kind })
  return { kind, ...(await runKind(await withCurrentTrust(scope), answer)) }
}

/**
 * Limits what a turn's model is told if the folder is no longer trusted. That is recorded, so that a replay tells it
 * the same; a turn begun with trust ends with it.
 */
async function withCurrentTrust(scope: TurnContext): Promise<TurnContext> {
  const { context, driver, instructions, input, parts, isBegun } = scope
  if (instructions.isTrusted !== true) return scope
  const isRecorded =
    context.services.journal.decision('notice', context.key('untrusted')) !== undefined
  if (!isRecorded && (isBegun || driver.granted?.isTrusted !== false)) return scope
  await context.notice('untrusted', 'warning', untrustedText)
  const less = withdrawTrust(instructions)
  const system = createSystemMessage(context, parts.prompts.system, input.workspace, less)
  return { ...scope, instructions: less, system }
}

const untrustedText =
  'The folder is not trusted now, so its system prompt is not used and its instructions count as untrusted text.'

function runKind(scope: TurnContext, answer: TurnAnswer): Promise<TurnEnd> {
  switch (answer.kind) {
    case 'prompt':
      return runRequestTurn(scope, answer)
    case 'settings':
      return runSettingsTurn(scope, answer.change)
    case 'clear':
      return Promise.resolve({
        patch: { ...donePatch('The conversation was cleared.'), isTainted: false },
        conversation: [],
      })
    case 'compact':
      return runCompactTurn(scope, answer.focus ?? '')
    case 'undo':
      return runUndoTurn(scope)
    case 'command':
      return runCommandTurn(scope, answer.command)
    case 'end':
      return Promise.resolve({ patch: donePatch(''), conversation: scope.conversation })
  }
}

function donePatch(answer: string): OwnPatch {
  return { outcome: 'done', answer }
}

async function runSettingsTurn(
  { context, state, conversation }: TurnContext,
  change: SettingsChange,
): Promise<TurnEnd> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const own = Object.fromEntries(given) as Partial<typeof state.settings>
  const { model } = own
  try {
    if (model !== undefined) await checkModel(context, model)
  } catch (error) {
    if (endsAt(error, context.path)) throw error
    const failure = toFailure(error)
    return { patch: { outcome: 'failed', answer: failure.message, failure }, conversation }
  }
  const told = given.map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`,
  )
  const settings = { ...state.settings, ...own }
  return { patch: { ...donePatch(told.join('; ')), settings }, conversation }
}

/** Recorded, since it depends on the keys and addresses configured now. @throws `invalid_configuration` */
async function checkModel(context: RunContext, model: string): Promise<void> {
  await context.step('model', 'pure', { model }, async () => {
    context.services.models.forName?.(model, 'default')
    return null
  })
}

async function runCompactTurn(scope: TurnContext, focus: string): Promise<TurnEnd> {
  const { context, state, conversation } = scope
  const agent = await scope.agents.getAgent(context, state.settings)
  const compactor = new Compactor(scope, agent, () => {})
  const compacted = await compactor.compact(context, conversation, focus)
  if (compacted === undefined)
    return { patch: donePatch('There is nothing to compact yet.'), conversation }
  const { note, isForeign, messages } = compacted
  const isTainted = state.isTainted || isForeign
  const after: readonly Message[] = messages
  return { patch: { ...donePatch(note), isTainted, notes: [note] }, conversation: after }
}

/**
 * Runs a command that the person gave and can stop. Its output joins the conversation, so that the model knows it with
 * the next request.
 */
async function runCommandTurn(scope: TurnContext, command: string): Promise<TurnEnd> {
  const { context, state, agents, driver, conversation } = scope
  const bash = agents.getTools(state.settings).find(({ name }) => name === 'bash')
  if (bash === undefined)
    return { patch: { outcome: 'failed', answer: 'There is no tool for commands.' }, conversation }
  const control = new AbortController()
  const part = createCancellationScope(context, 'shell', control.signal)
  driver.onTurn?.(async () => {
    await cancelScope(context, 'shell', 'The person stopped the command.')
    control.abort()
  })
  const output = await runUserCommand(part, bash, command)
    .catch((error) => ignoreStop(context, part, error))
    .finally(() => driver.onTurn?.(undefined))
  const isStopped = output === undefined
  const shown = output ?? 'I stopped it; what it printed is not known.'
  const text = `I ran this command myself:\n\n$ ${command}\n${shown}`
  const message = createMessage(context, 'user', text)
  const noted = createMessage(context, 'assistant', 'Noted.')
  return {
    patch: {
      outcome: isStopped ? 'cancelled' : 'done',
      answer: output ?? '',
      commands: [command],
    },
    conversation: [...conversation, message, noted],
  }
}

/** @throws the error, unless the person stopped the command */
function ignoreStop({ signal }: RunContext, { stop }: RunContext, error: unknown): undefined {
  if (signal.aborted || stop === undefined || toFailure(error).code !== 'cancelled') throw error
}

async function runUserCommand(
  context: RunContext,
  bash: CodeTool,
  command: string,
): Promise<string> {
  const parsed = bash.parse({ command })
  if (!parsed.ok) return parsed.reason
  const input = parsed.value
  try {
    const output = await context.step<Json>(
      'command',
      'write',
      { command },
      ({ signal, key }) =>
        bash.execute(input, {
          signal,
          key,
          emit: (data) => context.emit('progress', data, 'command'),
        }),
      { label: 'command', timeoutMs: bash.timeoutMs },
    )
    return bash.present?.(output) ?? JSON.stringify(output)
  } catch (error) {
    if (endsAt(error, context.path)) throw error
    const { message, hint } = toFailure(error)
    return hint === undefined ? message : `${message} ${hint}`
  }
}
