import type { SandboxLanguage } from './language-package.ts'
import type { SandboxLimits } from './sandbox-limits.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

/** A process kept for the next run. */
export interface Spare {
  /** The spare process, if it is one of that language. */
  take(language: SandboxLanguage): SandboxProcess | undefined
  /** Starts one, if there is none. */
  keep(language: SandboxLanguage): void
  end(): Promise<void>
}

/** A spare: at most one process that has loaded its language and run nothing. It ends when nobody wants it. */
export function createSpare(keepMs: number, limits: SandboxLimits): Spare {
  let child: SandboxProcess | undefined
  let timer: NodeJS.Timeout | undefined
  const end = async () => {
    clearTimeout(timer)
    const ending = child
    child = undefined
    await ending?.kill()
  }
  return {
    take(language) {
      if (child?.language !== language || !child.isAlive()) {
        void end()
        return undefined
      }
      clearTimeout(timer)
      const taken = child
      child = undefined
      taken.setAwaited(true)
      return taken
    },
    keep(language) {
      if (keepMs === 0 || child !== undefined) return
      child = startSandboxProcess(language, limits)
      child.setAwaited(false)
      timer = setTimeout(() => void end(), keepMs)
      timer.unref()
    },
    end,
  }
}
