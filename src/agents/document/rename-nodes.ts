import { changeUnder, type Located, type LocatedMap, withMembers } from './located.ts'

/** The keys of an imported part that mean something in the file that imports it under a name. */
const importedKeys = ['nodes', 'edges', 'variables', 'data', 'state_schema', 'initial_state']

/**
 * The part of a document that another takes in `as` a name: its nodes are called `name.node`, also where its own rules
 * speak of them. Edges from `__start__` are left out: the importing file says where the run begins.
 */
export function importedAs(root: LocatedMap, name: string): LocatedMap {
  const kept = [...root.members].filter(([key]) => importedKeys.includes(key))
  const rename = (located: Located): Located => prefixed(located, name)
  const part = changeUnder(withMembers(root, kept), 'nodes', (nodes) =>
    eachMap(nodes, (node) => {
      const inner = node.part === undefined ? '' : `.${node.part}`
      return { ...renameNode(node, rename), part: `${name}${inner}` }
    }),
  )
  return changeUnder(part, 'edges', (edges) => {
    const renamed = eachMap(edges, (edge) => changeAll(edge, ['from', 'to', 'fan_in'], rename))
    return renamed.kind === 'list'
      ? { ...renamed, items: renamed.items.filter((edge) => !isFromStart(edge)) }
      : renamed
  })
}

function renameNode(node: LocatedMap, rename: (located: Located) => Located): LocatedMap {
  const rules = (located: Located): Located =>
    located.kind === 'list'
      ? eachMap(located, (rule) => changeUnder(rule, 'to', rename))
      : rename(located)
  let renamed = changeAll(node, ['name', 'fallback', 'fan_in'], rename)
  renamed = changeAll(renamed, ['goto', 'next'], rules)
  renamed = changeUnder(renamed, 'on_error', (rule) =>
    rule.kind === 'map' ? changeUnder(rule, 'fallback', rename) : rule,
  )
  return changeUnder(renamed, 'edges', (targets) =>
    targets.kind === 'map' ? changeAll(targets, [...targets.members.keys()], rename) : targets,
  )
}

function changeAll(
  map: LocatedMap,
  keys: readonly string[],
  change: (located: Located) => Located,
): LocatedMap {
  return keys.reduce((changed, key) => changeUnder(changed, key, change), map)
}

function eachMap(list: Located, change: (map: LocatedMap) => LocatedMap): Located {
  if (list.kind !== 'list') return list
  return { ...list, items: list.items.map((item) => (item.kind === 'map' ? change(item) : item)) }
}

function prefixed(located: Located, name: string): Located {
  if (located.kind === 'list') {
    return { ...located, items: located.items.map((item) => prefixed(item, name)) }
  }
  if (located.kind !== 'scalar' || typeof located.value !== 'string') return located
  if (/^__.*__$/.test(located.value)) return located
  return { ...located, value: `${name}.${located.value}` }
}

function isFromStart(edge: Located): boolean {
  if (edge.kind !== 'map') return false
  const [from, type] = ['from', 'type'].map((key) => edge.members.get(key)?.value)
  const says = (located: Located | undefined, text: string) =>
    located?.kind === 'scalar' && located.value === text
  return says(from, '__start__') || (says(type, 'entry') && from === undefined)
}
