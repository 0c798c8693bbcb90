import type { z } from 'zod'
import { findNearest } from '../../kernel/text/nearest.ts'
import { findPlace, type Located, toPlain } from './located.ts'
import type { DocumentProblem } from './problem.ts'
import { isMap, omitNull, type PlainMap, removeUnsupported } from './prune.ts'
import { outerSchema } from './schema/document-schema.ts'
import { edgeSchema } from './schema/node-schema.ts'
import { knownKeys } from './schema/parts.ts'
import { settingsSchema } from './schema/settings-schema.ts'
import { toShapeProblems } from './shape-issues.ts'
import { type ShapedNode, shapeNode } from './shape-node.ts'
import {
  unsupportedAtTop,
  unsupportedInConfig,
  unsupportedInEdge,
  unsupportedInExtraction,
  unsupportedInLlm,
  unsupportedInParallel,
  unsupportedInSettings,
} from './unsupported.ts'

/** The top of a document; its nodes and edges are not examined. */
export type OuterDocument = z.infer<typeof outerSchema>

/** An edge as written. */
export interface ShapedEdge {
  readonly path: readonly string[]
  readonly value: z.infer<typeof edgeSchema>
}

/** A document's parts, as far as they are well formed. */
export interface Shape {
  readonly root: Located
  /** Absent if something at the top is wrong. */
  readonly outer?: OuterDocument
  readonly nodes: readonly ShapedNode[]
  readonly edges: readonly ShapedEdge[]
  /** Names of all nodes, including faulty ones. */
  readonly names: readonly string[]
  readonly problems: readonly DocumentProblem[]
}

/** Checks the form of a document part by part, so that one mistake does not hide others. */
export function shapeDocument(root: Located): Shape {
  const value = toPlain(root)
  if (!isMap(value)) {
    const problem: DocumentProblem = {
      code: 'INVALID_TYPE',
      severity: 'error',
      message: 'the file is not a map',
      hint: 'An agent file has "name:" and "nodes:".',
      path: [],
      ...root.place,
    }
    return { root, nodes: [], edges: [], names: [], problems: [problem] }
  }
  const top = removeUnsupportedAtTop(root, omitNull(value))
  const parsed = outerSchema.safeParse(top.value, { reportInput: true })
  const found = parsed.success
    ? []
    : toShapeProblems(parsed.error.issues, {
        root,
        path: [],
        called: 'the file',
        knownKeys: (path) => knownKeys(outerSchema, path),
      })
  const nodes = readList(top.value, 'nodes').map((node, index) => shapeNode(root, node, index))
  const edges = readList(top.value, 'edges').map((edge, index) => shapeEdge(root, edge, index))
  return {
    root,
    ...(parsed.success ? { outer: parsed.data } : {}),
    nodes: nodes.flatMap(({ node }) => node ?? []),
    edges: edges.flatMap(({ edge }) => edge ?? []),
    names: readList(top.value, 'nodes').flatMap(readName),
    problems: [
      ...top.problems,
      ...found,
      ...nodes.flatMap(({ problems }) => problems),
      ...edges.flatMap(({ problems }) => problems),
      ...ambiguousVersion(root, value),
    ],
  }
}

interface Top {
  readonly value: PlainMap
  readonly problems: readonly DocumentProblem[]
}

function removeUnsupportedAtTop(root: Located, value: PlainMap): Top {
  const problems: DocumentProblem[] = []
  const known = Object.entries(value).filter(([key]) => !isForAnchors(key))
  let top = removeUnsupported(root, [], Object.fromEntries(known), unsupportedAtTop, problems)
  for (const [key, table] of [
    ['settings', unsupportedInSettings],
    ['llm', unsupportedInLlm],
    ['config', unsupportedInConfig],
    ['extraction_schema', unsupportedInExtraction],
  ] as const) {
    const part = top[key]
    if (!isMap(part)) continue
    let rest = removeUnsupported(root, [key], omitNull(part), table, problems)
    if (key === 'settings') {
      rest = removeUnsupportedSettings(root, rest, problems)
      problems.push(...unknownSettings(root, rest))
    }
    top = { ...top, [key]: rest }
  }
  return { value: top, problems }
}

/** Keys that only hold values for aliases, as in Compose files. */
function isForAnchors(key: string): boolean {
  return key.startsWith('x-')
}

const settingsTables = { llm: unsupportedInLlm, parallel: unsupportedInParallel }

function removeUnsupportedSettings(
  root: Located,
  settings: PlainMap,
  problems: DocumentProblem[],
): PlainMap {
  let rest = settings
  for (const [key, table] of Object.entries(settingsTables)) {
    const part = settings[key]
    if (!isMap(part)) continue
    rest = {
      ...rest,
      [key]: removeUnsupported(root, ['settings', key], omitNull(part), table, problems),
    }
  }
  return rest
}

/** Unknown sections may serve templates; a name close to a known section is reported as a typo. */
function unknownSettings(root: Located, settings: PlainMap): readonly DocumentProblem[] {
  const known = Object.keys(settingsSchema.shape)
  return Object.keys(settings)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = findNearest(key, known)
      const path = ['settings', key]
      const place = findPlace(root, path, 'key')
      if (meant !== undefined) {
        const message = `unknown key "${key}" in settings of the file`
        const hint = `Did you mean "${meant}"?`
        return { code: 'UNKNOWN_KEY', severity: 'error', message, hint, path, ...place }
      }
      const message = `settings.${key} has no effect, but templates can read it`
      return { code: 'IGNORED_KEY', severity: 'warning', message, path, ...place }
    })
}

function shapeEdge(
  root: Located,
  written: unknown,
  index: number,
): { readonly edge?: ShapedEdge; readonly problems: readonly DocumentProblem[] } {
  const path = ['edges', String(index)]
  const problems: DocumentProblem[] = []
  const value = isMap(written)
    ? removeUnsupported(root, path, omitNull(written), unsupportedInEdge, problems)
    : written
  const parsed = edgeSchema.safeParse(value, { reportInput: true })
  if (parsed.success) return { edge: { path, value: parsed.data }, problems }
  const part = {
    root,
    path,
    called: `edge ${index + 1}`,
    knownKeys: (inside: readonly string[]) => knownKeys(edgeSchema, inside),
  }
  return { problems: [...problems, ...toShapeProblems(parsed.error.issues, part)] }
}

/** `version: 1.10` is the number 1.1. */
function ambiguousVersion(root: Located, { version }: PlainMap): readonly DocumentProblem[] {
  if (typeof version !== 'number') return []
  const place = findPlace(root, ['version'])
  return Number.isInteger(version)
    ? []
    : [
        {
          code: 'INVALID_TYPE',
          severity: 'warning',
          message: `version is the number ${version}, so 1.10 and 1.1 are the same`,
          hint: `Put it in quotes.`,
          path: ['version'],
          ...place,
        },
      ]
}

function readList(value: PlainMap, key: string): readonly unknown[] {
  const list = value[key]
  return Array.isArray(list) ? list : []
}

function readName(node: unknown): readonly string[] {
  return isMap(node) && typeof node.name === 'string' ? [node.name] : []
}
