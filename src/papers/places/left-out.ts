/** What is said of entries that were no papers; nothing where there were none. */
export function leftOutNotes(count: number): readonly string[] {
  if (count === 0) return []
  const entries = count === 1 ? '1 entry was' : `${count} entries were`
  return [`${entries} left out: without a title, or without anything by which the paper is known.`]
}
