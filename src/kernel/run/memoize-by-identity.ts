/** Memoizes a function of an immutable object for as long as the object exists. */
export function memoizeByIdentity<Thing extends object, Description>(
  describe: (thing: Thing) => Description,
): (thing: Thing) => Description {
  const known = new WeakMap<Thing, Description>()
  return (thing) => {
    const kept = known.get(thing)
    if (kept !== undefined) return kept
    const description = describe(thing)
    known.set(thing, description)
    return description
  }
}
