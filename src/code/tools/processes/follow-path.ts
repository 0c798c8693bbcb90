import { readlinkSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** Where a path leads. */
export interface FollowedPath {
  /** Absolute, with links resolved as far as the path exists. */
  readonly path: string
  readonly isThere: boolean
}

/** The limit of Linux. */
const maxLinks = 40
/** @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const procMagic = 0x9fa0

/**
 * Follows an absolute path as the system does: one link at a time, with `..` relative to a link's target. `undefined`
 * if that is unknown, and for what differs between processes or is not a file: `/proc` and devices.
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

/** Uses the spelling that the folder has, where the system accepts others, such as a different case. */
function realPathOfFile(path: string): FollowedPath | undefined {
  try {
    const stats = statSync(path)
    const isDevice = stats.isBlockDevice() || stats.isCharacterDevice()
    if ((isDevice && path !== '/dev/null') || isProcPath(path)) return undefined
    return { path: realpathSync.native(path), isThere: true }
  } catch {
    // It has been deleted, or is inaccessible.
    return undefined
  }
}

function isProcPath(path: string): boolean {
  return /^\/proc(?:\/|$)/.test(path) || statfsSync(path).type === procMagic
}
