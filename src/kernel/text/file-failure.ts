/** Why the file system refused to write a file, as the end of a sentence: `the disk is full`. */
export function describeWriteFailure(error: unknown): string {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException
  return reasons[code] ?? message
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'a part of its path is a file',
  ENAMETOOLONG: 'its name is too long',
}
