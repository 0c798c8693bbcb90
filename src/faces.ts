/** The faces that a command of the command line starts, each loaded when it is. */

export type { AcpSite, FolderApp } from './acp/acp-site.ts'
export type { AcpStreams } from './acp/serve-acp.ts'

export type { Handler, Role, TokenFile } from './server/index.ts'

/** Serving programs over HTTP. */
export function loadServer(): Promise<typeof import('./server/index.ts')> {
  return import('./server/index.ts')
}

/** Serving editors over the Agent Client Protocol. */
export function loadAcp(): Promise<typeof import('./acp/serve-acp.ts')> {
  return import('./acp/serve-acp.ts')
}

/** Serving clients of the Model Context Protocol over stdin and stdout. */
export function loadMcp(): Promise<typeof import('./server/mcp/serve-mcp.ts')> {
  return import('./server/mcp/serve-mcp.ts')
}
