import type { z } from 'zod'
import { nearest } from '../../kernel/text/nearest.ts'
import { type Located, placeOf, plainOf } from './located.ts'
import type { DocumentProblem } from './problem.ts'
import { isMembers, type Members, pruned, withoutNull } from './prune.ts'
import { outerSchema } from './schema/document-schema.ts'
import { edgeSchema } from './schema/node-schema.ts'
import { knownKeys } from './schema/parts.ts'
import { settingsSchema } from './schema/settings-schema.ts'
import { shapeProblems } from './shape-issues.ts'
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

/** The top of a document, its nodes and edges not looked into. */
export type OuterDocument = z.infer<typeof outerSchema>

/** An edge as it is written. */
export interface ShapedEdge {
  readonly path: readonly string[]
  readonly value: z.infer<typeof edgeSchema>
}

/** A document by its parts, as far as they have the right form. */
export interface Shape {
  readonly root: Located
  /** Absent when something at the top is wrong. */
  readonly outer?: OuterDocument
  readonly nodes: readonly ShapedNode[]
  readonly edges: readonly ShapedEdge[]
  /** The names of all nodes, also of those that are wrong. */
  readonly names: readonly string[]
  readonly problems: readonly DocumentProblem[]
}

/** Checks the form of a document, part by part, so that one mistake does not hide the others. */
export function shapeOf(root: Located): Shape {
  const value = plainOf(root)
  if (!isMembers(value)) {
    const problem: DocumentProblem = {
      code: 'INVALID_TYPE',
      severity: 'error',
      message: 'the file is no map',
      hint: 'An agent file begins with "name:" and has "nodes:".',
      path: [],
      ...root.place,
    }
    return { root, nodes: [], edges: [], names: [], problems: [problem] }
  }
  const top = pruneTop(root, withoutNull(value))
  const parsed = outerSchema.safeParse(top.value, { reportInput: true })
  const found = parsed.success
    ? []
    : shapeProblems(parsed.error.issues, {
        root,
        path: [],
        called: 'the file',
        knownKeys: (path) => knownKeys(outerSchema, path),
      })
  const nodes = listIn(top.value, 'nodes').map((node, index) => shapeNode(root, node, index))
  const edges = listIn(top.value, 'edges').map((edge, index) => shapeEdge(root, edge, index))
  return {
    root,
    ...(parsed.success ? { outer: parsed.data } : {}),
    nodes: nodes.flatMap(({ node }) => node ?? []),
    edges: edges.flatMap(({ edge }) => edge ?? []),
    names: listIn(top.value, 'nodes').flatMap(nameOf),
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
  readonly value: Members
  readonly problems: readonly DocumentProblem[]
}

function pruneTop(root: Located, value: Members): Top {
  const problems: DocumentProblem[] = []
  const known = Object.entries(value).filter(([key]) => !isForAnchors(key))
  let top = pruned(root, [], Object.fromEntries(known), unsupportedAtTop, problems)
  for (const [key, table] of [
    ['settings', unsupportedInSettings],
    ['llm', unsupportedInLlm],
    ['config', unsupportedInConfig],
    ['extraction_schema', unsupportedInExtraction],
  ] as const) {
    const part = top[key]
    if (!isMembers(part)) continue
    let rest = pruned(root, [key], withoutNull(part), table, problems)
    if (key === 'settings') {
      rest = pruneSettings(root, rest, problems)
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

function pruneSettings(root: Located, settings: Members, problems: DocumentProblem[]): Members {
  let rest = settings
  for (const [key, table] of Object.entries(settingsTables)) {
    const part = settings[key]
    if (!isMembers(part)) continue
    rest = {
      ...rest,
      [key]: pruned(root, ['settings', key], withoutNull(part), table, problems),
    }
  }
  return rest
}

/** Sections that nobody here reads may serve templates; what is nearly the name of a known one was meant to be it. */
function unknownSettings(root: Located, settings: Members): readonly DocumentProblem[] {
  const known = Object.keys(settingsSchema.shape)
  return Object.keys(settings)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = nearest(key, known)
      const path = ['settings', key]
      const place = placeOf(root, path, 'key')
      if (meant !== undefined) {
        const message = `there is no key "${key}" in settings of the file`
        const hint = `Did you mean "${meant}"?`
        return { code: 'UNKNOWN_KEY', severity: 'error', message, hint, path, ...place }
      }
      const message = `settings.${key} means nothing here; templates can read it`
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
  const value = isMembers(written)
    ? pruned(root, path, withoutNull(written), unsupportedInEdge, problems)
    : written
  const parsed = edgeSchema.safeParse(value, { reportInput: true })
  if (parsed.success) return { edge: { path, value: parsed.data }, problems }
  const part = {
    root,
    path,
    called: `edge ${index + 1}`,
    knownKeys: (inside: readonly string[]) => knownKeys(edgeSchema, inside),
  }
  return { problems: [...problems, ...shapeProblems(parsed.error.issues, part)] }
}

/** `version: 1.10` is the number 1.1. */
function ambiguousVersion(root: Located, { version }: Members): readonly DocumentProblem[] {
  if (typeof version !== 'number') return []
  const place = placeOf(root, ['version'])
  return Number.isInteger(version)
    ? []
    : [
        {
          code: 'INVALID_TYPE',
          severity: 'warning',
          message: `version is the number ${version}, so that 1.10 and 1.1 are the same`,
          hint: `Put it into quotes.`,
          path: ['version'],
          ...place,
        },
      ]
}

function listIn(value: Members, key: string): readonly unknown[] {
  const list = value[key]
  return Array.isArray(list) ? list : []
}

function nameOf(node: unknown): readonly string[] {
  return isMembers(node) && typeof node.name === 'string' ? [node.name] : []
}
