import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TrustedFolder } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { printResult } from '../../render/print.ts'
import { renderTable } from '../../render/table.ts'
import { visibleOnOneLine } from '../../render/text.ts'

/** What each kind of trust applies to. */
const kinds = {
  instructions: 'for its instructions to models',
  home: 'as your own home',
} as const satisfies Readonly<Record<TrustedFolder['kind'], string>>

/** `scholium trust list`. */
export const runTrustList: RunCommand = async (invocation) => {
  const { terminal } = invocation
  const { trustedFolders } = await import('../../../app.ts')
  const trusted = trustedFolders(terminal.host.env)
  printResult(invocation, trusted, () => {
    if (trusted.length === 0) return 'You do not trust any folders.'
    const rows = trusted.map(({ kind, path }) => [visibleOnOneLine(path), kinds[kind]])
    return renderTable(['FOLDER', 'TRUSTED'], rows, terminal.stdout.columns).join('\n')
  })
  return 0
}

/** `scholium trust remove`. */
export const runTrustRemove: RunCommand = async (invocation) => {
  const { words, terminal } = invocation
  const path = withoutLinks(resolve(terminal.host.cwd(), words[0] ?? ''))
  const { untrust } = await import('../../../app.ts')
  const removed = untrust(terminal.host.env, path)
  if (removed.length === 0) {
    throw new ScholiumError('invalid_input', `You do not trust ${path}.`, {
      hint: 'List trusted folders: scholium trust list',
    })
  }
  printResult(invocation, { schema: 'scholium.trust/1', removed }, () => {
    const said = removed.map(({ kind }) => kinds[kind]).join(' and ')
    return `${visibleOnOneLine(path)} is no longer trusted ${said}.`
  })
  return 0
}

/** A deleted folder is known by its former path. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
