import { type GlobTest, plainGlobPattern } from './glob-pattern.ts'

/** A line of an ignore file. */
interface IgnoreRule {
  readonly pattern: GlobTest
  readonly isNegated: boolean
  readonly foldersOnly: boolean
}

/** A line of an ignore file that is longer is no rule: no path is. */
const maxRuleLength = 4_096

/** What one ignore file says of the paths below its folder. */
export interface IgnoreFile {
  /** Its path as its own rules see it, of a path from the root on. */
  own(path: string): string
  readonly rules: readonly IgnoreRule[]
}

/**
 * The rules of an ignore file.
 * @param own how a path from the root on looks from the file's folder
 * @see https://git-scm.com/docs/gitignore
 */
export function readIgnoreFile(text: string, own: IgnoreFile['own']): IgnoreFile {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return { own, rules: lines.flatMap((line) => ruleOf(line) ?? []) }
}

function ruleOf(line: string): IgnoreRule | undefined {
  if (line.startsWith('#') || line.length > maxRuleLength) return undefined
  let glob = line.replace(/(?<!\\)[ \t]+$/, '')
  const isNegated = glob.startsWith('!')
  if (isNegated) glob = glob.slice(1)
  const foldersOnly = glob.endsWith('/')
  if (foldersOnly) glob = glob.slice(0, -1)
  const isAnchored = glob.includes('/')
  if (glob.startsWith('/')) glob = glob.slice(1)
  if (glob === '') return undefined
  return { pattern: plainGlobPattern(isAnchored ? glob : `**/${glob}`), isNegated, foldersOnly }
}

/**
 * Whether a path is ignored, by the last rule that fits in the deepest file that has one.
 * @param files of one kind, from the root down to the path's folder
 */
export function isIgnoredBy(
  files: readonly IgnoreFile[],
  path: string,
  isFolder: boolean,
): boolean | undefined {
  for (const { own, rules } of files.toReversed()) {
    const names = own(path).split('/')
    const rule = rules.findLast(
      ({ pattern, foldersOnly }) => (isFolder || !foldersOnly) && pattern(names),
    )
    if (rule !== undefined) return !rule.isNegated
  }
  return undefined
}
