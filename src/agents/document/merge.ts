import {
  type Located,
  type LocatedMap,
  type LocatedMember,
  textUnder,
  withMembers,
} from './located.ts'

/** In an overlay, a map with this key set to true takes the same part of the base away. */
export const deleteMark = '__delete__'

/** Lists of these names are merged member by member, found by these keys. All other lists are replaced. */
const identities: Readonly<Record<string, readonly string[]>> = {
  nodes: ['name'],
  edges: ['from', 'to'],
  goto: ['to'],
  steps: ['name'],
  body: ['name'],
}

/**
 * A document with another laid over it: maps are merged key by key, nodes by their names, edges by where they lead from
 * and to; other lists and values are replaced. What the overlay marks with `__delete__: true` is taken away.
 */
export function mergeDocuments(base: Located, overlay: Located, name = ''): Located {
  if (base.kind === 'map' && overlay.kind === 'map') return mergeMaps(base, overlay)
  const keys = Object.hasOwn(identities, name) ? identities[name] : undefined
  if (keys === undefined || base.kind !== 'list' || overlay.kind !== 'list') {
    return withoutMarks(overlay)
  }
  return { kind: 'list', place: base.place, items: mergeLists(base.items, overlay.items, keys) }
}

function mergeMaps(base: LocatedMap, overlay: LocatedMap): LocatedMap {
  const members = new Map<string, LocatedMember>(base.members)
  for (const [key, member] of overlay.members) {
    const before = base.members.get(key)
    if (key === deleteMark) continue
    if (isMarked(member.value)) members.delete(key)
    else if (before === undefined)
      members.set(key, { ...member, value: withoutMarks(member.value) })
    else members.set(key, { ...member, value: mergeDocuments(before.value, member.value, key) })
  }
  return withMembers(base, members)
}

function mergeLists(
  base: readonly Located[],
  overlay: readonly Located[],
  keys: readonly string[],
): readonly Located[] {
  const merged: (Located | undefined)[] = [...base]
  const places = new Map<string, number>()
  for (const [index, item] of base.entries()) {
    const identity = identityOf(item, keys)
    if (identity !== undefined) places.set(identity, index)
  }
  for (const item of overlay) {
    const identity = identityOf(item, keys)
    const index = identity === undefined ? undefined : places.get(identity)
    const before = index === undefined ? undefined : merged[index]
    if (isMarked(item)) {
      if (index !== undefined) merged[index] = undefined
    } else if (index === undefined || before === undefined) merged.push(withoutMarks(item))
    else merged[index] = mergeDocuments(before, item)
  }
  return merged.filter((item) => item !== undefined)
}

function identityOf(item: Located, keys: readonly string[]): string | undefined {
  const values = keys.map((key) => textUnder(item, key))
  return values.includes(undefined) ? undefined : values.join('\n')
}

function isMarked(located: Located): boolean {
  if (located.kind !== 'map') return false
  const mark = located.members.get(deleteMark)?.value
  return mark?.kind === 'scalar' && mark.value === true
}

/** A mark with nothing beneath it to take away says nothing. */
function withoutMarks(located: Located): Located {
  if (located.kind === 'scalar') return located
  if (located.kind === 'list') {
    const items = located.items.filter((item) => !isMarked(item)).map(withoutMarks)
    return { ...located, items }
  }
  const members = [...located.members].filter(
    ([key, { value }]) => key !== deleteMark && !isMarked(value),
  )
  return withMembers(
    located,
    members.map(([key, member]) => [key, { ...member, value: withoutMarks(member.value) }]),
  )
}
