import type { Message } from '../../kernel/message.ts'
import { commandTurn } from './command-turn.ts'
import { Compactor } from './compact.ts'
import { requestTurn } from './request-turn.ts'
import type { TurnEnd, TurnSite } from './site.ts'
import type { TurnPatch } from './state.ts'
import { readTurnAnswer, type SettingsChange, type TurnAnswer } from './turn-answer.ts'
import { undoTurn } from './undo-turn.ts'

type OwnPatch = Omit<TurnPatch, 'turn' | 'kind' | 'messages'>

/** One turn: what the person says, and what becomes of it. @throws `waiting` where nobody says anything */
export async function takeTurn(
  site: TurnSite,
): Promise<TurnEnd<OwnPatch> & { readonly kind: TurnAnswer['kind'] }> {
  const { context, turn, emit } = site
  const answer = readTurnAnswer(await context.ask('prompt', { kind: 'turn', turn }))
  const { kind } = answer
  emit({ type: 'turn.started', turn, kind })
  return { kind, ...(await doneAs(site, answer)) }
}

function doneAs(site: TurnSite, answer: TurnAnswer): Promise<TurnEnd<OwnPatch>> {
  switch (answer.kind) {
    case 'prompt':
      return requestTurn(site, answer)
    case 'settings':
      return Promise.resolve(settingsTurn(site, answer.change))
    case 'clear':
      return Promise.resolve({
        patch: { ...done('The conversation begins anew.'), isTainted: false },
        conversation: [],
      })
    case 'compact':
      return compactTurn(site, answer.focus ?? '')
    case 'undo':
      return undoTurn(site)
    case 'command':
      return commandTurn(site, answer.command)
    case 'end':
      return Promise.resolve({ patch: done(''), conversation: site.conversation })
  }
}

function done(answer: string): OwnPatch {
  return { outcome: 'done', answer }
}

function settingsTurn(
  { state, conversation }: TurnSite,
  change: SettingsChange,
): TurnEnd<OwnPatch> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const settings = {
    ...state.settings,
    ...(Object.fromEntries(given) as Partial<typeof state.settings>),
  }
  const told = given.map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`,
  )
  return { patch: { ...done(told.join('; ')), settings }, conversation }
}

async function compactTurn(site: TurnSite, focus: string): Promise<TurnEnd<OwnPatch>> {
  const { context, state, conversation } = site
  const agent = await site.agents.agentOf(context, state.settings)
  const compactor = new Compactor(site, agent, () => {})
  const compacted = await compactor.compact(context, conversation, focus)
  if (compacted === undefined)
    return { patch: done('There is nothing to leave out yet.'), conversation }
  const { told, isForeign, messages } = compacted
  const isTainted = state.isTainted || isForeign
  const after: readonly Message[] = messages
  return { patch: { ...done(told), isTainted, notes: [told] }, conversation: after }
}
