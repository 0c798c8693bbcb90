import { readlinkSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** Where a path leads. */
export interface FollowedPath {
  /** Absolute and without links, as far as there is something. */
  readonly path: string
  readonly isThere: boolean
}

/** As many as Linux follows. */
const maxLinks = 40
/** @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const procMagic = 0x9fa0

/**
 * Where an absolute path leads, as the system follows it: one link after the other, `..` from where a link led to. `undefined`
 * where that cannot be told, and for what is other for each process or no file: what lies in `/proc`, and devices.
 */
export function followPath(written: string): FollowedPath | undefined {
  if (written.includes('\0')) return undefined
  const parts = written.split('/').reverse()
  let at = '/'
  let links = 0
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      at = dirname(at)
      continue
    }
    const next = join(at, part)
    const link = readLink(next)
    if (link === 'unknown') return undefined
    if (link === 'missing') return { path: resolve(next, ...parts.reverse()), isThere: false }
    if (link === 'none') {
      at = next
      continue
    }
    links += 1
    if (links > maxLinks || isProcPath(at)) return undefined
    if (isAbsolute(link.target)) at = '/'
    parts.push(...link.target.split('/').reverse())
  }
  return realPathOfFile(at)
}

type Link = 'none' | 'missing' | 'unknown' | { readonly target: string }

function readLink(path: string): Link {
  try {
    return { target: readlinkSync(path) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EINVAL') return 'none'
    return /^(?:ENOENT|ENOTDIR|ENAMETOOLONG)$/.test(code ?? '') ? 'missing' : 'unknown'
  }
}

/** Where the system has other spellings of a name, as without case, the one that the folder has. */
function realPathOfFile(path: string): FollowedPath | undefined {
  try {
    const stats = statSync(path)
    const isDevice = stats.isBlockDevice() || stats.isCharacterDevice()
    if ((isDevice && path !== '/dev/null') || isProcPath(path)) return undefined
    return { path: realpathSync.native(path), isThere: true }
  } catch {
    // Gone meanwhile, or closed to us.
    return undefined
  }
}

function isProcPath(path: string): boolean {
  return /^\/proc(?:\/|$)/.test(path) || statfsSync(path).type === procMagic
}
