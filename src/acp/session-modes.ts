import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { CodeSettings, SettingsChange } from '../app.ts'
import { refusedParams } from './request-error.ts'

/** What the person is asked about. */
export type ModeId = 'ask' | 'accept-edits' | 'yolo'

const modes: readonly {
  readonly id: ModeId
  readonly name: string
  readonly description: string
}[] = [
  { id: 'ask', name: 'Ask', description: 'Asks before it changes a file or runs a command.' },
  {
    id: 'accept-edits',
    name: 'Accept edits',
    description: 'Changes files in the folder without asking; asks before running commands.',
  },
  {
    id: 'yolo',
    name: 'Act without asking',
    description: 'Never asks, unless the conversation contains untrusted text, such as a web page.',
  },
]

/** The rules that allow edits. */
const editRules: readonly string[] = ['edit', 'write']

type Ruling = Pick<CodeSettings, 'allow' | 'isYolo'>

/** The mode that corresponds to settings. */
export function chooseMode({ allow, isYolo }: Ruling): ModeId {
  if (isYolo) return 'yolo'
  return editRules.every((rule) => allow.includes(rule)) ? 'accept-edits' : 'ask'
}

/** The change of settings for a mode; rules that the person added stay. */
export function modeChange(mode: ModeId, { allow }: Ruling): SettingsChange {
  const others = allow.filter((rule) => !editRules.includes(rule))
  const rules = mode === 'accept-edits' ? [...others, ...editRules] : others
  return { allow: rules, isYolo: mode === 'yolo' }
}

/** A mode by its id. @throws `RequestError` if unknown */
export function readMode(id: unknown): ModeId {
  const found = modes.find((mode) => mode.id === id)
  if (found !== undefined) return found.id
  throw refusedParams(`Unknown mode "${id}": ${modes.map((mode) => mode.id).join(', ')}.`)
}

/** The modes, and the current one. */
export function modeState(mode: ModeId): SessionModeState {
  return { currentModeId: mode, availableModes: modes.map((one) => ({ ...one })) }
}

/** What an editor can set: the mode, and the model if there are several. */
export function configOptions(
  mode: ModeId,
  model: string,
  models: readonly string[],
): SessionConfigOption[] {
  const named = [...new Set([model, ...models])]
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: mode,
      options: modes.map(({ id, ...told }) => ({ value: id, ...told })),
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: model,
      options: named.map((name) => ({ value: name, name })),
    },
  ]
}
