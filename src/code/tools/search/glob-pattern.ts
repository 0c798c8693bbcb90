/** Tests a path, given as its names, against a glob. */
export type GlobTest = (names: readonly string[]) => boolean

/** Maximum number of alternatives that braces may expand to. */
const maxAlternatives = 1_000

/**
 * Compiles a glob for paths relative to a folder: `*` and `?` match within a name, `**` any folders, `[a-z]` and
 * `[!a-z]` one character, `{a,b}` either; a backslash escapes the next character. Globs come from models and untrusted
 * files: a test takes at most time proportional to the product of both lengths.
 * @throws RangeError for braces with more than 1,000 alternatives
 * @see https://git-scm.com/docs/gitignore#_pattern_format
 */
export function compileGlob(glob: string): GlobTest {
  const tests = expandBraces(splitSigns(glob)).map(compilePath)
  return (names) => tests.some((test) => test(names))
}

/** Like {@link compileGlob}, but braces are literal, as in ignore files. */
export function compilePlainGlob(glob: string): GlobTest {
  return compilePath(splitSigns(glob))
}

/** Splits a glob into escaped characters, character sets and single characters. */
function splitSigns(glob: string): readonly string[] {
  // The alternatives in a set never overlap, so a set without an end is found quickly.
  return glob.match(/\\[\s\S]|\[[!^]?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\\])*\]|[\s\S]/gu) ?? []
}

type Signs = readonly string[]

/** The globs that one with braces stands for; the glob itself if its braces do not match. */
function expandBraces(signs: Signs): readonly Signs[] {
  const open: { readonly before: readonly Signs[]; readonly done: Signs[] }[] = []
  let made: readonly Signs[] = [[]]
  for (const sign of signs) {
    const outer = open.at(-1)
    if (sign === '{') {
      open.push({ before: made, done: [] })
      made = [[]]
    } else if (outer !== undefined && (sign === ',' || sign === '}')) {
      outer.done.push(...made)
      made = [[]]
      if (outer.done.length * outer.before.length > maxAlternatives)
        throw new RangeError(`A glob may have ${maxAlternatives} alternatives at most.`)
      if (sign === ',') continue
      open.pop()
      made = outer.before.flatMap((before) => outer.done.map((one) => [...before, ...one]))
    } else made = made.map((one) => [...one, sign])
  }
  return open.length > 0 ? [signs] : made
}

/** Matches any number of names in a path, or of characters in a name. */
const any = Symbol('any')

/** Pattern of one name in a path. */
type NamePattern = string | readonly CharacterPattern[]
type CharacterPattern = string | RegExp | typeof any

function compilePath(signs: Signs): GlobTest {
  const parts = splitNames(signs).flatMap((name, index, names): (NamePattern | typeof any)[] => {
    if (name.length !== 2 || name.join('') !== '**') return [compileName(name)]
    return index === names.length - 1 ? [any, [any]] : [any]
  })
  return (names) => matchesParts(parts, names, matchesName)
}

function splitNames(signs: Signs): readonly Signs[] {
  const names: string[][] = [[]]
  for (const sign of signs) {
    if (sign === '/' || sign === '\\/') names.push([])
    else names.at(-1)?.push(sign)
  }
  return names
}

function compileName(signs: Signs): NamePattern {
  const characters = signs.map((sign): CharacterPattern => {
    if (sign === '*') return any
    if (sign === '?') return /[\s\S]/u
    if (sign.startsWith('[') && sign !== '[') return compileSet(sign)
    return sign.startsWith('\\') && sign !== '\\' ? sign.slice(1) : sign
  })
  const isPlain = characters.every((character) => typeof character === 'string')
  return isPlain ? characters.join('') : characters
}

function matchesName(pattern: NamePattern, name: string): boolean {
  if (typeof pattern === 'string') return name === pattern
  return matchesParts(pattern, [...name], (part, character) =>
    typeof part === 'string' ? part === character : part.test(character),
  )
}

/**
 * Whether items match parts one to one, where `any` matches any number of items. Only the last `any` is ever extended:
 * whatever an earlier one could also match, the last one can.
 */
function matchesParts<Part, Item>(
  parts: readonly (Part | typeof any)[],
  items: readonly Item[],
  isFitting: (part: Part, item: Item) => boolean,
): boolean {
  let [part, item] = [0, 0]
  let [nextPart, nextItem] = [-1, 0]
  while (part < parts.length || item < items.length) {
    const wanted = parts[part]
    if (wanted === any) {
      part++
      nextPart = part
      nextItem = item
    } else if (
      part < parts.length &&
      item < items.length &&
      isFitting(wanted as Part, items[item] as Item)
    ) {
      part++
      item++
    } else if (nextPart === -1 || nextItem >= items.length) return false
    else {
      nextItem++
      part = nextPart
      item = nextItem
    }
  }
  return true
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

function compileSet(set: string): RegExp {
  const isNegated = /^\[[!^]/.test(set)
  const inner = set.slice(isNegated ? 2 : 1, -1)
  const parts = inner.match(/\[:\w+:\]|\\[\s\S]|[\s\S]/gu) ?? []
  const source = parts.map((part) => {
    const name = /^\[:(\w+):\]$/.exec(part)?.[1]
    if (name !== undefined) return namedSets[name] ?? ''
    if (part === '-') return '-'
    return escapeLiteral(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part)
  })
  try {
    return new RegExp(`[${isNegated ? '^' : ''}${source.join('')}]`, 'u')
  } catch {
    return /(?!)/
  }
}

function escapeLiteral(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (character) =>
    character === '-' ? '\\x2d' : `\\${character}`,
  )
}
