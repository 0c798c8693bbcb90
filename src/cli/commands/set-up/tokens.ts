import type { Role, TokenFile } from '../../../faces.ts'
import { type OpenApp, withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { printResult } from '../../render/print.ts'
import { renderTable } from '../../render/table.ts'
import { localTime } from '../runs/runs.ts'

/** `scholium tokens add`. */
export const runTokensAdd: RunCommand = (invocation) =>
  withTokens(invocation, (tokens, app, roles) => {
    const { words, options } = invocation
    const [name = ''] = words
    const role = options.choice('role', roles) ?? 'run'
    app.makeHome()
    const token = tokens.add(name, role)
    printResult(invocation, { name, role, token }, () => token)
    if (!options.has('quiet')) invocation.terminal.tell('Keep it now: it is not shown again.')
  })

/** `scholium tokens list`. */
export const runTokensList: RunCommand = (invocation) =>
  withTokens(invocation, (tokens) => {
    const issued = tokens.list()
    printResult(invocation, issued, () => {
      if (issued.length === 0) return 'There are no tokens but that of "scholium serve".'
      const rows = issued.map(({ name, role, createdAt }) => [name, role, localTime(createdAt)])
      const { columns } = invocation.terminal.stdout
      return renderTable(['NAME', 'ROLE', 'CREATED'], rows, columns).join('\n')
    })
  })

/** `scholium tokens revoke`. */
export const runTokensRevoke: RunCommand = (invocation) =>
  withTokens(invocation, (tokens) => {
    const [name = ''] = invocation.words
    tokens.revoke(name)
    printResult(invocation, { revoked: name }, () => `The token of ${name} is no longer valid.`)
  })

function withTokens(
  invocation: Invocation,
  work: (tokens: TokenFile, app: OpenApp, roles: readonly Role[]) => void,
): Promise<number> {
  return withApp(invocation, async (app) => {
    const { roles, TokenFile } = await (await import('../../../faces.ts')).loadServer()
    work(new TokenFile(app.home.path), app, roles)
    return 0
  })
}
