/** A list of names as it can be read, and those in it that would lose parts. */
export interface KeptNames {
  readonly names: string
  readonly overlong: readonly string[]
}

/**
 * A list of names in TeX in which every name with more than two commas is in braces: BibTeX knows at most "von Last, Jr, First",
 * and whoever writes more means several people, whose names are kept as they stand.
 */
export function overlongNamesKept(list: string): KeptNames {
  if (list.split(',').length <= 3) return { names: list, overlong: [] }
  const overlong: string[] = []
  const kept = namesIn(list.replace(/\s+/g, ' ')).map(({ name, commas }) => {
    if (commas <= 2) return name
    overlong.push(name.trim())
    return `{${name.trim()}}`
  })
  return { names: kept.join(' and '), overlong }
}

/** Names between `and`s, with their commas, both outside braces. */
function namesIn(names: string): readonly { readonly name: string; readonly commas: number }[] {
  const found: { name: string; commas: number }[] = []
  let [start, depth, commas] = [0, 0, 0]
  for (const { 0: sign, index } of names.matchAll(/\\.|[{},]| and(?= )/gi)) {
    if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    else if (depth > 0) continue
    else if (sign === ',') commas += 1
    else if (!sign.startsWith('\\')) {
      found.push({ name: names.slice(start, index), commas })
      start = index + sign.length
      commas = 0
    }
  }
  return [...found, { name: names.slice(start), commas }]
}
