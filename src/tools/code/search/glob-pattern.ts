/** How a glob is read. */
export interface GlobOptions {
  /** Whether letters match in both cases. */
  readonly ignoresCase?: boolean
}

/** So many globs at most are those with braces put together of. */
const maxAlternatives = 500

/**
 * The test of paths (with `/`, from a folder on) against a glob: `*` and `?` stand for what is within a name, `**` for any folders,
 * `[a-z]` and `[!a-z]` for a character, `{a,b}` for either, a backslash takes the meaning from what follows it. It takes no longer
 * than the square of a path's length, whatever the glob is.
 * @throws where braces make too many globs
 * @see https://git-scm.com/docs/gitignore#_pattern_format
 */
export function globPattern(glob: string, options: GlobOptions = {}): RegExp {
  const held = { count: 0 }
  const sources = alternatives(glob).map((one) => globSource(one, held))
  return new RegExp(`^(?:${sources.join('|')})$`, options.ignoresCase ? 'isu' : 'su')
}

/** How many groups an expression has so far. */
interface Held {
  count: number
}

/**
 * The source of a regular expression for a glob in which braces mean themselves, as ignore files have it. What stands before the
 * next `*` or `**` is looked for from the left, and where it was found first it stays: another place of it would give no more.
 */
export function globSource(glob: string, held: Held = { count: 0 }): string {
  const groups: string[][] = [[]]
  for (let at = 0; at <= glob.length; ) {
    const rest = glob.slice(at)
    if (rest.startsWith('**/')) {
      groups.push([])
      at += 3
    } else if (rest === '**') {
      groups.at(-1)?.push('.+')
      break
    } else {
      const [written, source] = nameAt(glob, at, held)
      groups.at(-1)?.push(source)
      at += written + 1
    }
  }
  const [first = [], ...others] = groups
  const last = others.pop()
  if (last === undefined) return first.join('/')
  const middle = others.filter((names) => names.length > 0)
  return [
    ...first.map((name) => `${name}/`),
    ...middle.map((names) => kept(`(?:[^/]+/)*?${names.join('/')}/`, held)),
    `(?:[^/]+/)*${last.join('/')}`,
  ].join('')
}

/** What is not tried anew once it has fitted. */
function kept(source: string, held: Held): string {
  held.count += 1
  return `(?=(?<kept${held.count}>${source}))\\k<kept${held.count}>`
}

/** How many characters the name of a file or folder has that begins here, and what it means. */
function nameAt(glob: string, start: number, held: Held): [number, string] {
  const chunks = ['']
  let at = start
  while (at < glob.length && glob[at] !== '/') {
    const [written, means] = partAt(glob, at)
    if (means === undefined) chunks.push('')
    else chunks[chunks.length - 1] += means
    at += written
  }
  const [first = '', ...others] = chunks
  const last = others.pop()
  const middle = others.map((chunk) => kept(`[^/]*?${chunk}`, held))
  return [at - start, `${first}${middle.join('')}${last === undefined ? '' : `[^/]*${last}`}`]
}

/** How many characters the next part of a name has, and what one character it means; `undefined` for any number of them. */
function partAt(glob: string, at: number): [number, string | undefined] {
  const rest = glob.slice(at)
  const set = setAt(rest)
  if (set !== undefined) return [set.length, setSource(set)]
  const [stars] = /^\*+/.exec(rest) ?? []
  if (stars !== undefined) return [stars.length, undefined]
  if (rest.startsWith('?')) return [1, '[^/]']
  const [written = ''] = /^\\?[\s\S]/u.exec(rest) ?? []
  return [written.length, literal(written.length > 1 ? written.replace(/^\\/, '') : written)]
}

function setAt(rest: string): string | undefined {
  // No two of the choices fit the same, so that a set without an end is found out at once.
  return /^\[[!^]?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]/s.exec(rest)?.[0]
}

/** The globs without braces that one with braces stands for; where these have no end, they mean themselves. */
function alternatives(glob: string): readonly string[] {
  const [open, commas, close] = bracesOf(glob)
  if (open === undefined || close === undefined) return [glob]
  const ends = [open, ...commas, close]
  const [before, after] = [glob.slice(0, open), glob.slice(close + 1)]
  const choices = ends.slice(1).map((end, index) => glob.slice((ends[index] ?? 0) + 1, end))
  const all: string[] = []
  for (const choice of choices) {
    all.push(...alternatives(`${before}${choice}${after}`))
    if (all.length > maxAlternatives) throw new Error('The braces stand for too many globs.')
  }
  return all
}

/** Where the first braces of a glob open and close, and the commas between. */
function bracesOf(glob: string): [number | undefined, readonly number[], number | undefined] {
  let open: number | undefined
  let depth = 0
  const commas: number[] = []
  for (let at = 0; at < glob.length; ) {
    const character = glob[at]
    if (character === '{') {
      open ??= at
      depth += 1
    } else if (character === ',' && depth === 1) commas.push(at)
    else if (character === '}' && depth > 0) {
      depth -= 1
      if (depth === 0) return [open, commas, at]
    }
    at += character === '\\' ? 2 : (setAt(glob.slice(at))?.length ?? 1)
  }
  return [open, commas, undefined]
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
