import { readFileSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { AppOptions } from '../../../app.ts'
import type { AcpSite, AcpStreams, FolderApp } from '../../../faces.ts'
import { configurationRequest, readLimits } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { listenForInterrupts } from '../../interrupts.ts'
import { protocolOutput } from '../../protocol-output.ts'
import { oneLine } from '../../render/text.ts'
import { openWatch, type Watch } from '../runs/trace-watch.ts'

type McpSettings = NonNullable<AppOptions['mcp']>

/** `scholium acp`. */
export const runAcp: RunCommand = async (invocation) => {
  const { terminal } = invocation
  const streams = {
    input: Readable.toWeb(terminal.host.stdin) as AcpStreams['input'],
    output: Writable.toWeb(protocolOutput(terminal.host)),
  }
  const control = new AbortController()
  const stopListening = listenForInterrupts(() => control.abort())
  terminal.whenStdoutCloses(() => control.abort())
  const watch = await openWatch(invocation)
  try {
    const { serveAcp } = await (await import('../../../faces.ts')).loadAcp()
    await serveAcp(createSite(invocation, watch), streams, control.signal)
    return 0
  } finally {
    stopListening()
    watch.close()
    // Stops reading: further input from an editor must not keep the process alive.
    terminal.host.stdin.destroy()
  }
}

function createSite(invocation: Invocation, watch: Watch): AcpSite {
  const { terminal } = invocation
  return {
    version: version(),
    folder: terminal.host.cwd(),
    open: (folder) => openFolder(invocation, watch, folder),
  }
}

/** The app of a folder: new sessions use the models of its configuration, resumed ones keep their own. */
async function openFolder(
  invocation: Invocation,
  watch: Watch,
  folder: string,
): Promise<FolderApp> {
  const {
    toAppOptions,
    readAskDefaults,
    createApp,
    loadConfiguration,
    projectModels,
    refusedHomeNote,
  } = await import('../../../app.ts')
  const { terminal, options } = invocation
  const request = configurationRequest(invocation)
  const configuration = await loadConfiguration({ ...request, folder })
  for (const text of projectModels(configuration))
    terminal.tell(`The configuration in ${folder} sets: ${oneLine(text)}`)
  const onWarning = (text: string) => terminal.tell(oneLine(text))
  const note = refusedHomeNote(configuration)
  if (note !== undefined) onWarning(note)
  const { web = false, mcp } = readAskDefaults(configuration)
  const optionsFor = (models: 'new' | 'recorded') => {
    const options = toAppOptions(configuration, models)
    return { ...options, mcp: ownServers(options.mcp, configuration.projectFolder), onWarning }
  }
  return {
    app: createApp(optionsFor('new')),
    resuming: createApp(optionsFor('recorded')),
    defaults: {
      web,
      skills: options.texts('skills').map((path) => resolve(terminal.host.cwd(), path)),
      ...(mcp === undefined ? {} : { mcp }),
    },
    execution: {
      limits: readLimits(options),
      ...watch.labels,
      onLog: (event) => watch.hear(event),
    },
  }
}

/**
 * Only the MCP servers of the operator's own files: the editor chooses the folder, and opening a project is no consent
 * to run its programs.
 */
function ownServers(mcp: McpSettings = {}, projectFolder: string): McpSettings {
  const { configFiles = [], ...others } = mcp
  const own = configFiles.filter((path) => {
    const way = relative(projectFolder, path)
    return way.startsWith('..') || isAbsolute(way)
  })
  return { ...others, configFiles: own }
}

function version(): string {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
