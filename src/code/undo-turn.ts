import { endsAt, ScholiumError, toFailure } from '../kernel/errors.ts'
import type { Hash } from '../kernel/json.ts'
import { createMessage } from '../team/conversation.ts'
import { type MergedChange, mergeChanges } from './file-changes.ts'
import type { PastTurn, SessionState } from './state.ts'
import type { FileChange } from './tools/code-tool.ts'
import type { TurnContext, TurnEnd } from './turn-context.ts'

/**
 * Undoes the changes of the last request that has not been undone, file by file, where each file is still as the agent
 * left it.
 */
export async function runUndoTurn(scope: TurnContext): Promise<TurnEnd> {
  const { state, conversation, context } = scope
  const past = findLastChangingTurn(state)
  if (past === undefined)
    return {
      patch: { outcome: 'done', answer: 'There is no file change to revert.' },
      conversation,
    }
  const whole = mergeChanges(past.changes ?? [])
  const outcomes: (Outcome & Pick<MergedChange, 'isPart'>)[] = []
  for (const [index, { change, isPart }] of whole.entries())
    outcomes.push({ ...(await restoreFile(scope, change, `restore[${index + 1}]`)), isPart })
  const answer = describeOutcomes(outcomes)
  const hashes = Object.fromEntries(
    outcomes.flatMap(({ change, what }) =>
      what === 'restored' ? [[change.path, change.before]] : [],
    ),
  ) as Record<string, Hash | null>
  const patch = { outcome: 'done', answer, undone: past.turn, hashes } as const
  const told = createMessage(context, 'user', `I took back what you changed. ${answer}`)
  return {
    patch,
    conversation: [...conversation, told, createMessage(context, 'assistant', 'Noted.')],
  }
}

/** The latest turn that changed files and was not undone. */
function findLastChangingTurn({ turns }: SessionState): PastTurn | undefined {
  const undone = new Set(turns.flatMap(({ undone: turn }) => (turn === undefined ? [] : [turn])))
  return turns.findLast(({ turn, changes = [] }) => changes.length > 0 && !undone.has(turn))
}

interface Outcome {
  readonly change: FileChange
  readonly what: 'restored' | 'changed' | 'lost' | 'failed'
  /** Why it failed. */
  readonly why?: string
}

async function restoreFile(scope: TurnContext, change: FileChange, name: string): Promise<Outcome> {
  const { context, parts, input } = scope
  const files = parts.files(input.workspace)
  const restore = async (key: string): Promise<Outcome['what']> => {
    const text = await readKeptText(scope, change)
    if (text === undefined && change.before !== null) return 'lost'
    const outcome = await files.undo(change, text, key)
    return outcome === 'changed_since' ? 'changed' : 'restored'
  }
  try {
    const what = await context.step(name, 'write', { ...change }, ({ key }) => restore(key), {
      label: `taking back ${change.path}`,
      // It looks at the file first, so it can safely be repeated.
      decide: async () => 'undone',
    })
    return { change, what }
  } catch (error) {
    if (endsAt(error, context.path)) throw error
    return { change, what: 'failed', why: toFailure(error).message }
  }
}

/** The kept earlier content; `undefined` if nothing was kept. */
async function readKeptText(
  { context }: TurnContext,
  { kept }: FileChange,
): Promise<string | undefined> {
  if (kept === null) return undefined
  const text = await context.services.journal.blob(kept)
  if (text === undefined)
    throw new ScholiumError('step_missing', 'The log does not contain the earlier text.', {
      details: { kept },
    })
  return text
}

function describeOutcomes(outcomes: readonly (Outcome & Pick<MergedChange, 'isPart'>)[]): string {
  const of = (what: Outcome['what'], part = false) =>
    outcomes
      .filter(
        (outcome) => outcome.what === what && (what !== 'restored' || outcome.isPart === part),
      )
      .map(({ change }) => change.path)
  const [back, parts, changed, lost] = [
    of('restored'),
    of('restored', true),
    of('changed'),
    of('lost'),
  ]
  return [
    ...(back.length === 0 ? [] : [`Reverted: ${back.join(', ')}.`]),
    ...(parts.length === 0
      ? []
      : [`Partly reverted, because something else changed them in between: ${parts.join(', ')}.`]),
    ...(changed.length === 0
      ? []
      : [`Not reverted, because something else changed them since: ${changed.join(', ')}.`]),
    ...(lost.length === 0
      ? []
      : [`Not reverted, because the earlier content was not recorded: ${lost.join(', ')}.`]),
    ...outcomes.flatMap(({ change, why }) =>
      why === undefined ? [] : [`Not reverted: ${change.path}. ${why}`],
    ),
  ].join(' ')
}
