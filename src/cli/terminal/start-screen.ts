import { withGrants } from '../arguments/grant-options.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { builtInEngine, noModel } from '../commands/set-up/no-model.ts'
import { cutStart, oneLine } from '../render/text.ts'
import type { Block } from './blocks.ts'

/** The beginning of a session. */
export interface Start {
  readonly version: string
  readonly folder: string
  /** `provider:model`. */
  readonly model: string
}

/** The first lines of a session: what it is, its folder and model, and how to get help. */
export function startBlocks({ version, folder, model }: Start, columns: number): readonly Block[] {
  const isBuiltIn = model === builtInEngine
  return [
    { kind: 'told', text: `Scholium ${version}, coding agent` },
    { kind: 'told', text: `folder  ${cutStart(oneLine(folder), columns - 8)}` },
    { kind: 'told', text: `model   ${isBuiltIn ? 'none' : oneLine(model)}` },
    ...(isBuiltIn ? [noModelBlock] : []),
    {
      kind: 'notice',
      level: 'info',
      text: '/help lists commands · @ mentions a file · ! runs a command · esc stops · ctrl+c twice exits',
    },
  ]
}

/** Says that the built-in engine cannot work on code, and how to name a model. */
export const noModelBlock: Block = {
  kind: 'notice',
  level: 'warning',
  text: `${noModel.why} ${noModel.hint}`,
}

/** The message on leaving a session. */
export function farewell(
  runId: string | undefined,
  { options, terminal }: Pick<Invocation, 'options' | 'terminal'>,
): string {
  if (runId === undefined) return ''
  const { paint } = terminal.stdout
  const command = withGrants(options, `scholium code --resume ${runId}`)
  return terminal.asTyped(`${paint.dim('Continue with:')} ${command}`)
}
