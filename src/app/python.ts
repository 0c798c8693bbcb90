import type { Tool } from '../kernel/agent/tool.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { languageFolders } from '../tools/sandbox/language-package.ts'
import type { Sandbox } from '../tools/sandbox/sandbox.ts'

/** How the expert runs Python. */
export interface PythonSettings {
  /** Whether it is used. Default: if its package is installed. */
  readonly enabled?: boolean
  /** Time limit of one piece of code, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
  /** Memory of its process, including the interpreter. Default 512, minimum 320. */
  readonly memoryMb?: number
}

/** Python for the experts of one app: one sandbox, made on first use. */
export class AppPython {
  private readonly settings: PythonSettings
  private opened: Promise<{ readonly sandbox: Sandbox; readonly tool: Tool }> | undefined

  constructor(settings: PythonSettings) {
    this.settings = settings
  }

  /**
   * Whether a question's expert gets it.
   * @param asked what the question says of it itself
   * @throws {@link ScholiumError} `invalid_configuration` where it is asked for and not installed
   */
  isOffered(asked: boolean | undefined): boolean {
    const wanted = asked ?? this.settings.enabled
    if (wanted === false) return false
    try {
      languageFolders('python')
      return true
    } catch (error) {
      if (wanted === undefined && error instanceof ScholiumError) return false
      throw error
    }
  }

  /** The tool that runs it. @throws {@link ScholiumError} `invalid_configuration` for a limit that no run could keep */
  async tool(): Promise<Tool> {
    this.opened ??= this.open()
    return (await this.opened).tool
  }

  /** Ends its processes. */
  async close(): Promise<void> {
    const opened = await this.opened?.catch(() => undefined)
    await opened?.sandbox.close()
  }

  private async open() {
    const { createSandbox } = await import('../tools/sandbox/sandbox.ts')
    const { createPythonTool } = await import('../tools/python/python-tool.ts')
    const { timeoutMs, memoryMb } = this.settings
    const limits = {
      ...(timeoutMs === undefined ? {} : { wallMs: timeoutMs }),
      ...(memoryMb === undefined ? {} : { memoryMb }),
    }
    const sandbox = createSandbox({ limits })
    return { sandbox, tool: createPythonTool({ sandbox }) }
  }
}
