/** How a glob is read. */
export interface GlobOptions {
  /** Whether letters match in both cases. */
  readonly ignoresCase?: boolean
}

/**
 * The test of paths (with `/`, from a folder on) against a glob: `*` and `?` stand for what is within a name, `**` for any folders,
 * `[a-z]` and `[!a-z]` for a character, `{a,b}` for either, a backslash takes the meaning from what follows it.
 * @see https://git-scm.com/docs/gitignore#_pattern_format
 */
export function globPattern(glob: string, options: GlobOptions = {}): RegExp {
  return new RegExp(`^${globSource(glob, true)}$`, options.ignoresCase ? 'isu' : 'su')
}

/** The source of a regular expression for a glob; without `hasBraces` braces mean themselves, as ignore files have it. */
export function globSource(glob: string, hasBraces: boolean): string {
  let source = ''
  let depth = 0
  for (let at = 0; at < glob.length; ) {
    const [written, means] = partAt(glob, at, hasBraces, depth)
    if (means === '(?:') depth++
    if (means === ')') depth--
    source += means
    at += written
  }
  return depth > 0 ? globSource(glob, false) : source
}

/** How many characters the next part of a glob has, and what it means. */
function partAt(glob: string, at: number, hasBraces: boolean, depth: number): [number, string] {
  const rest = glob.slice(at)
  const isAtName = at === 0 || glob[at - 1] === '/'
  if (isAtName && rest.startsWith('**/')) return [3, '(?:[^/]+/)*']
  if (isAtName && rest === '**') return [2, '.+']
  const character = String.fromCodePoint(rest.codePointAt(0) as number)
  const next = rest[1]
  const set =
    character === '[' ? /^\[[!^]?\]?(?:\[:\w+:\]|\\.|[^\]])*\]/s.exec(rest)?.[0] : undefined
  if (set !== undefined) return [set.length, setSource(set)]
  if (character === '*') return [/^\*+/.exec(rest)?.[0].length ?? 1, '[^/]*']
  if (character === '?') return [1, '[^/]']
  if (character === '\\' && next !== undefined) {
    const quoted = String.fromCodePoint(rest.codePointAt(1) as number)
    return [1 + quoted.length, literal(quoted)]
  }
  if (hasBraces && character === '{') return [1, '(?:']
  if (hasBraces && depth > 0 && character === ',') return [1, '|']
  if (hasBraces && depth > 0 && character === '}') return [1, ')']
  return [character.length, literal(character)]
}

const namedSets: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  xdigit: '0-9A-Fa-f',
}

function setSource(set: string): string {
  const isNegated = /^\[[!^]/.test(set)
  const inner = set.slice(isNegated ? 2 : 1, -1)
  const parts = inner.match(/\[:\w+:\]|\\[\s\S]|[\s\S]/gu) ?? []
  const source = parts.map((part) => {
    const name = /^\[:(\w+):\]$/.exec(part)?.[1]
    if (name !== undefined) return namedSets[name] ?? ''
    if (part === '-') return '-'
    return literal(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part)
  })
  const allowed = `[${isNegated ? '^' : ''}${source.join('')}]`
  try {
    new RegExp(allowed, 'u')
  } catch {
    return '[]'
  }
  return `(?!/)${allowed}`
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (character) =>
    character === '-' ? '\\x2d' : `\\${character}`,
  )
}
