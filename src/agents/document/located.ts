import type { Json } from '../../kernel/json.ts'
import type { FilePosition } from './problem.ts'

/** A value of a document with the positions of all its parts, so that merged parts can still be located. */
export type Located = LocatedScalar | LocatedList | LocatedMap

/** A single value. */
export interface LocatedScalar {
  readonly kind: 'scalar'
  readonly value: null | boolean | number | string
  readonly place: FilePosition
}

/** A list. */
export interface LocatedList {
  readonly kind: 'list'
  readonly items: readonly Located[]
  readonly place: FilePosition
}

/** A map, in the order of the file. */
export interface LocatedMap {
  readonly kind: 'map'
  readonly members: ReadonlyMap<string, LocatedMember>
  readonly place: FilePosition
  /** The name under which a node was imported. */
  readonly part?: string
}

/** A key's value, and the key's position. */
export interface LocatedMember {
  readonly keyPlace: FilePosition
  readonly value: Located
}

/** The value without positions. Objects have no inherited members, since every key was written in a file. */
export function toPlain(located: Located): Json {
  switch (located.kind) {
    case 'scalar':
      return located.value
    case 'list':
      return located.items.map(toPlain)
    case 'map':
      return Object.fromEntries(
        [...located.members].map(([key, { value }]) => [key, toPlain(value)]),
      )
  }
}

/** The part of a document under a key or index; `undefined` if there is none. */
export function findPart(located: Located | undefined, key: string): Located | undefined {
  if (located?.kind === 'map') return located.members.get(key)?.value
  if (located?.kind === 'list') return located.items[Number(key)]
  return undefined
}

/** The text under a key; `undefined` if it is missing or not text. */
export function findText(located: Located | undefined, key: string): string | undefined {
  const part = findPart(located, key)
  return part?.kind === 'scalar' && typeof part.value === 'string' ? part.value : undefined
}

/** The items of the list under a key; none if there is no list. */
export function findItems(located: Located | undefined, key: string): readonly Located[] {
  const part = findPart(located, key)
  return part?.kind === 'list' ? part.items : []
}

/** The position of the value at a path, or of its key; of the nearest part above if it is missing. */
export function findPlace(
  located: Located,
  path: readonly string[],
  wanted: 'key' | 'value' = 'value',
): FilePosition {
  let [current, place] = [located, located.place]
  for (const key of path) {
    const next = findPart(current, key)
    if (next === undefined) return place
    const keyPlace = current.kind === 'map' ? current.members.get(key)?.keyPlace : undefined
    place = wanted === 'key' && keyPlace !== undefined ? keyPlace : next.place
    current = next
  }
  return place
}

/** An object with other members at the same position. */
export function withMembers(
  map: LocatedMap,
  members: Iterable<[string, LocatedMember]>,
): LocatedMap {
  return { ...map, members: new Map(members) }
}

/** An object with one key's value changed, if it has the key. */
export function changePart(
  map: LocatedMap,
  key: string,
  change: (value: Located) => Located,
): LocatedMap {
  const member = map.members.get(key)
  if (member === undefined) return map
  const changed: LocatedMember = { ...member, value: change(member.value) }
  return withMembers(map, [...map.members, [key, changed]])
}
