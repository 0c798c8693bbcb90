import { spawn } from 'node:child_process'
import type { Host } from './terminal.ts'

/** Whether a person sits at this machine and a browser can be opened for them. */
export function canOpenBrowser({ stdin, stdout, env }: Host, platform: NodeJS.Platform): boolean {
  if (stdin.isTTY !== true || stdout.isTTY !== true) return false
  if (env.CI || env.SSH_CONNECTION) return false
  if (platform === 'darwin' || platform === 'win32') return true
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address in the person's browser. Where there is none, nothing happens. */
export function openBrowser(address: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}
