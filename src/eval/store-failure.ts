import { ScholiumError } from '../kernel/errors.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only file system',
}

/** Does what writes to a path. @throws `store_failed` where the medium does not take it */
export function storing<Result>(path: string, write: () => Result): Result {
  try {
    return write()
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    if (cause instanceof ScholiumError) throw cause
    throw new ScholiumError(
      'store_failed',
      `${path} cannot be written: ${reasons[code] ?? message}.`,
      {
        retryable: true,
        hint: 'Make it writable, free some disk space, and run the same command again.',
        cause,
      },
    )
  }
}
