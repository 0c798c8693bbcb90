/** Why the file system refused to write a file, as the end of a sentence: `the disk is full`. */
export function describeWriteFailure(error: unknown): string {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException
  return reasons[code] ?? message
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there',
  EISDIR: 'it is a folder',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'it lies on a medium that cannot be written',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'a part of its path is a file',
  ENAMETOOLONG: 'its name is too long',
}
