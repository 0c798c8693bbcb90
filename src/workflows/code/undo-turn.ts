import { ScholiumError } from '../../kernel/errors.ts'
import type { Hash } from '../../kernel/json.ts'
import type { FileChange } from '../../tools/code/code-tool.ts'
import { opening } from '../conversation.ts'
import { outcomeOfChanges, wholeChanges } from './file-changes.ts'
import type { TurnEnd, TurnSite } from './site.ts'
import type { PastTurn, SessionState, TurnPatch } from './state.ts'

type OwnPatch = Omit<TurnPatch, 'turn' | 'kind' | 'messages'>

/** Takes back what the last request changed that was not taken back, file by file, where each is as the agent left it. */
export async function undoTurn(site: TurnSite): Promise<TurnEnd<OwnPatch>> {
  const { state, conversation, context } = site
  const past = lastChanging(state)
  if (past === undefined)
    return {
      patch: { outcome: 'done', answer: 'There is no change of a file to take back.' },
      conversation,
    }
  const whole = wholeChanges(past.changes ?? [])
  const outcomes: Outcome[] = []
  for (const [index, change] of whole.entries())
    outcomes.push(await restored(site, change, `restore[${index + 1}]`))
  const answer = toldOf(outcomes)
  const hashes = Object.fromEntries(
    outcomes.flatMap(({ change, what }) =>
      what === 'restored' ? [[change.path, change.before]] : [],
    ),
  ) as Record<string, Hash | null>
  const patch = { outcome: 'done', answer, undone: past.turn, hashes } as const
  const told = opening(context, 'user', `I took back what you changed. ${answer}`)
  return { patch, conversation: [...conversation, told, opening(context, 'assistant', 'Noted.')] }
}

/** The newest turn that changed files and was not taken back. */
function lastChanging({ turns }: SessionState): PastTurn | undefined {
  const undone = new Set(turns.flatMap(({ undone: turn }) => (turn === undefined ? [] : [turn])))
  return turns.findLast(({ turn, changes = [] }) => changes.length > 0 && !undone.has(turn))
}

interface Outcome {
  readonly change: FileChange
  readonly what: 'restored' | 'changed' | 'lost'
}

async function restored(site: TurnSite, change: FileChange, name: string): Promise<Outcome> {
  const { context, parts, input } = site
  const files = parts.files(input.workspace)
  const back = { ...change, before: change.after, after: change.before }
  const what = await context.step(
    name,
    'write',
    { ...change },
    async ({ key }): Promise<Outcome['what']> => {
      if ((await files.hashOf(change.path)) !== change.after) return 'changed'
      const text = await textBefore(site, change)
      if (text === undefined) return 'lost'
      await files.restore(change.path, text, key)
      return 'restored'
    },
    {
      label: `taking back ${change.path}`,
      decide: async () => {
        const outcome = await outcomeOfChanges(files, [back])
        return typeof outcome === 'object' ? { output: 'restored' } : outcome
      },
    },
  )
  return { change, what }
}

/** What stood in the file before; null where there was none, `undefined` where nothing was kept. */
async function textBefore(
  { context }: TurnSite,
  { before, kept }: FileChange,
): Promise<string | null | undefined> {
  if (before === null) return null
  if (kept === null) return undefined
  const text = await context.services.journal.blob(kept)
  if (text === undefined)
    throw new ScholiumError('step_missing', 'The log has not the text of before.', {
      details: { kept },
    })
  return text
}

function toldOf(outcomes: readonly Outcome[]): string {
  const of = (what: Outcome['what']) =>
    outcomes.filter((outcome) => outcome.what === what).map(({ change }) => change.path)
  const [back, changed, lost] = [of('restored'), of('changed'), of('lost')]
  return [
    ...(back.length === 0 ? [] : [`As before again: ${back.join(', ')}.`]),
    ...(changed.length === 0
      ? []
      : [`Left alone, because something else changed them since: ${changed.join(', ')}.`]),
    ...(lost.length === 0
      ? []
      : [`Left alone, because nothing was kept of before: ${lost.join(', ')}.`]),
  ].join(' ')
}
