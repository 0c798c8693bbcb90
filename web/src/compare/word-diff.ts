/** A piece of a text, and whether the other text has it too. */
export interface Piece {
  readonly text: string
  readonly isSame: boolean
}

/** More words are compared as a whole. */
const maxWords = 1_000

/** Two texts in pieces, by the longest sequence of words that both have. */
export function diffWords(
  first: string,
  second: string,
): readonly [readonly Piece[], readonly Piece[]] {
  const one = first.match(/\S+\s*/g) ?? []
  const other = second.match(/\S+\s*/g) ?? []
  if (one.length > maxWords || other.length > maxWords)
    return [[{ text: first, isSame: false }], [{ text: second, isSame: false }]]
  const isEqual = (i: number, j: number) => one[i]?.trim() === other[j]?.trim()
  // Row i has, for each j, the length of the longest common sequence of what follows.
  const rows = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1))
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      (rows[i] as Uint16Array)[j] = isEqual(i, j)
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1))
  const pieces: [Piece[], Piece[]] = [[], []]
  const push = (list: Piece[], text: string, isSame: boolean) => {
    const last = list.at(-1)
    if (last?.isSame === isSame) list[list.length - 1] = { text: last.text + text, isSame }
    else list.push({ text, isSame })
  }
  let [i, j] = [0, 0]
  while (i < one.length || j < other.length) {
    const isSame = i < one.length && j < other.length && isEqual(i, j)
    if (isSame || j >= other.length || (i < one.length && at(i + 1, j) >= at(i, j + 1)))
      push(pieces[0], one[i++] ?? '', isSame)
    else {
      push(pieces[1], other[j++] ?? '', false)
      continue
    }
    if (isSame) push(pieces[1], other[j++] ?? '', true)
  }
  return pieces
}
