import { readdirSync, readFileSync } from 'node:fs'

/** The processes that a process has started and that still run. Linux only. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((child) => child !== '')
      .map(Number)
      .filter(isRunning),
  )
}

/** Whether a process is there and has not ended. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}

/** Waits until something holds; `false` when it does not within 20 s. */
export async function eventually(holds: () => boolean): Promise<boolean> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (holds()) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
