/** A name of a file as part of a key in the log, in which `/` and brackets have a meaning. */
export function segment(name: string): string {
  return name.replaceAll(/[/[\]]/g, '_')
}

/** For each name a part of a key that no other one has. */
export function uniqueSegments(names: readonly string[]): ReadonlyMap<string, string> {
  const segments = new Map<string, string>()
  const used = new Set<string>()
  for (const name of names) {
    let unique = segment(name)
    while (used.has(unique)) unique += '_'
    used.add(unique)
    segments.set(name, unique)
  }
  return segments
}
