import { join, resolve } from 'node:path'
import type { McpSettings } from '../mcp/mcp.ts'
import { userConfigFolder } from '../trust/user-folders.ts'
import type { Configuration } from './configuration.ts'
import type { Setting } from './origin.ts'

/** The name of a file of servers, as other tools write it. */
const fileName = '.mcp.json'

/**
 * The MCP servers of a configuration: those of the file that it names, else the user's own. Those of the project's file
 * are used only if the command line asks for servers, since they are commands that somebody else may have written.
 */
export function toMcpSettings({
  settings,
  environment,
  projectFolder,
}: Pick<Configuration, 'settings' | 'environment' | 'projectFolder'>): McpSettings {
  const named = settings.get('mcp.config') as Setting<string> | undefined
  const servers = settings.get('mcp.servers') as Setting<boolean | readonly string[]> | undefined
  const allow = settings.get('mcp.allow') as Setting<readonly string[]> | undefined
  const own = userConfigFolder(environment)
  const found = [
    ...(own === undefined ? [] : [join(own, fileName)]),
    // Last, so that a project's server cannot replace the person's own of the same name.
    ...(servers?.origin.kind === 'option' ? [join(projectFolder, fileName)] : []),
  ]
  const configFiles = named === undefined ? found : [resolve(named.origin.folder, named.value)]
  return {
    configFiles,
    ...(servers === undefined ? {} : { servers: servers.value }),
    ...(allow === undefined ? {} : { allow: allow.value }),
  }
}
