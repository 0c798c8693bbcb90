import type { Configuration } from '../config/configuration.ts'
import { withoutUntrusted } from '../config/key-theft.ts'
import { toMcpSettings } from '../config/mcp-setting.ts'
import { AppMcp } from '../mcp/mcp.ts'
import type { Check, Finding } from './finding.ts'

/**
 * Checks the MCP servers that questions may use: whether each starts, and what it offers. Starts none if none may be
 * used.
 */
export function mcpCheck(configuration: Configuration): Check {
  return {
    name: 'the MCP servers',
    area: 'mcp',
    async run(signal, tell) {
      const settings = toMcpSettings(configuration)
      if ((settings.servers ?? false) === false) return tell(off)
      const warnings: string[] = []
      const mcp = new AppMcp(settings, withoutUntrusted(configuration), {
        onWarning: (text) => warnings.push(text),
      })
      try {
        const names = mcp.namesFor(undefined)
        for (const text of warnings) tell(found('warning', text.replace(/\.$/, '')))
        const access = await mcp.access()
        await Promise.all(
          names.map(async (name) => {
            const startedAt = performance.now()
            const { tools, leftOut, unavailable } = await access.look(name, signal)
            const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
            const [failed] = unavailable
            if (failed !== undefined)
              return tell({ ...found('problem', failed.detail.replace(/\.$/, '')), subject: name })
            const text = `starts in ${seconds} s and offers ${tools} tools${leftOutText(leftOut)}`
            const isTrusted = mcp.servers.some((one) => one.name === name && one.isTrusted)
            const hint = leftOut.length === 0 ? {} : { hint: leftOutHint(isTrusted) }
            tell({ ...found(tools === 0 ? 'warning' : 'ok', text), subject: name, ...hint })
          }),
        )
      } finally {
        await mcp.close()
      }
    },
  }
}

function leftOutHint(isTrusted: boolean): string {
  return isTrusted
    ? 'The server does not mark them as read-only: allow them by name under mcp.allow in your own configuration file.'
    : 'Set "trust": true in its entry if you trust the server to mark tools as read-only, or allow tools by name under mcp.allow.'
}

const maxNamed = 30

function leftOutText(names: readonly string[]): string {
  if (names.length === 0) return ''
  const more = names.length > maxNamed ? ' …' : ''
  return `; ${names.length} more may have side effects and are left out: ${names.slice(0, maxNamed).join(', ')}${more}`
}

const off: Finding = {
  area: 'mcp',
  status: 'ok',
  isAbsent: true,
  text: 'off: questions do not use MCP servers',
  hint: 'Enable them for one question with --mcp, or for all with "mcp: {servers: true}" in your own configuration file.',
}

function found(status: Finding['status'], text: string): Finding {
  return { area: 'mcp', status, text }
}
