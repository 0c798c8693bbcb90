import { dirname, extname } from 'node:path'
import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { ignoredParam, refusedParam, type ToolAction } from '../action.ts'
import {
  addToCollection,
  type CollectionAddition,
  type CollectionHit,
  defaultCollection,
  searchCollection,
} from './collections.ts'
import {
  defineToolAction,
  failedResult,
  requireService,
  type ToolActionServices,
} from './tool-action.ts'
import { resolveWorkspacePath } from './workspace-text.ts'

/** Why parameters about vectors have no effect. */
export const noVectors = 'search does not use vectors'

const maxTexts = 1_000
const maxTextCharacters = 1_000_000
const maxFiles = 1_000

/** A collection's name. */
export const collection = z
  .string()
  .regex(/^[\w./ -]{1,200}$/)
  .describe('Name of the collection: letters, digits and "_", "-", ".", "/".')
/** Metadata stored with texts. */
export const metadata = z.record(z.string(), z.json())
/** A text to be stored. */
export const text = z.string().trim().min(1).max(maxTextCharacters)

/** Stores texts and files in the library and searches it by words and related words; it creates no embeddings. */
export function libraryActions(services: ToolActionServices): readonly ToolAction[] {
  return [storeAction(services), queryAction(services), indexAction(services)]
}

function storeAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'vector.store',
    description: 'Stores texts in a library collection, for vector.query.',
    input: z.strictObject({
      texts: z
        .union([text, z.array(text).min(1).max(maxTexts)])
        .describe('One or more texts, at most 1,000.'),
      metadata: z
        .union([metadata, z.array(metadata)])
        .optional()
        .describe('Metadata for each text, in the same order, or one map for all.'),
      collection: collection.default(defaultCollection),
      ids: refusedParam('ids are derived from the text; put your own ids in metadata'),
      embeddings: ignoredParam(noVectors),
      model: ignoredParam(noVectors),
      provider: ignoredParam(noVectors),
    }),
    effect: 'write',
    keeps: true,
    timeoutMs: 120_000,
    result: '{stored, collection, ids, success}',
    async execute({ texts: given, metadata: facts = [], collection }): Promise<Json> {
      const refused = requireService(services, 'memory')().explainRefusal?.({ given, facts })
      if (refused !== undefined) return failedResult(refused, 'secret')
      const texts = [given].flat()
      const metadata = Array.isArray(facts) ? facts : texts.map(() => facts)
      if (metadata.length > 0 && metadata.length !== texts.length)
        return failedResult(
          `There are ${texts.length} texts, but metadata for ${metadata.length}.`,
          'invalid_data',
        )
      const additions = await Promise.all(
        texts.map((text, index) => toStoredText(collection, text, metadata[index] ?? {})),
      )
      const { sourceIds } = await addToCollection(services, collection, additions)
      return { stored: texts.length, collection, ids: sourceIds, success: true }
    },
  })
}

/** A text as a document of a collection. */
export async function toStoredText(
  collection: string,
  text: string,
  metadata: JsonObject,
): Promise<CollectionAddition> {
  const { textDocument } = await import('../../../tools/web/keep-document.ts')
  const told =
    typeof metadata.title === 'string' ? metadata.title : (text.split('\n', 1)[0] as string)
  const title = told.length > 80 ? `${told.slice(0, 79)}…` : told
  const document = textDocument(text, { title, csl: { id: '', type: 'document', title } })
  return { document, path: `collection:${collection}/${document.contentHash}`, metadata }
}

function queryAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'vector.query',
    description: 'Finds the library passages that best match a query, each with a number.',
    input: z.strictObject({
      query: z
        .string()
        .trim()
        .min(1)
        .max(2_000)
        .describe('The query, in words that a source would use.'),
      k: z
        .int()
        .min(1)
        .max(100)
        .default(5)
        .describe('Maximum number of passages, 1 to 100; 5 by default.'),
      collection: collection
        .optional()
        .describe(
          'Search only this collection. Default: the library and texts stored without a collection.',
        ),
      filter: metadata
        .default({})
        .describe(
          'Filter by metadata of the texts: {type: article}, also type_ne, year_gte, year_in and so on.',
        ),
      include_embeddings: ignoredParam(noVectors),
      model: ignoredParam(noVectors),
      provider: ignoredParam(noVectors),
    }),
    effect: 'read',
    untrusted: 'results',
    result:
      '{results: [{n, id, text, score, metadata: {source_id, title, page, …}}], query, collection, k, success}; n starts at 1, higher scores are better',
    async execute({ query, k, collection, filter }): Promise<Json> {
      const hits = await searchCollection(services, { query, limit: k, collection, filter })
      const results = hits.map(addNumbers)
      return { results, query, collection: collection ?? defaultCollection, k, success: true }
    },
  })
}

/** A numbered passage with its location. */
export function addNumbers(hit: CollectionHit, index: number): JsonObject {
  const { passage, source, score, metadata } = hit
  const { page, section, start, end } = passage
  const place = {
    source_id: source.id,
    title: source.title,
    start,
    end,
    ...(page === undefined ? {} : { page }),
    ...(section === undefined ? {} : { section }),
  }
  return {
    n: index + 1,
    id: passage.id,
    text: passage.text,
    score,
    metadata: { ...metadata, ...place },
  }
}

function indexAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'vector.index_files',
    description:
      'Reads workspace files and folders (PDF, Word, Markdown, HTML, tables and more) into a library collection.',
    input: z.strictObject({
      paths: z
        .union([z.string(), z.array(z.string()).min(1).max(100)])
        .describe('Files and folders, relative to the workspace; at most 1,000 files in total.'),
      extensions: z
        .array(z.string())
        .optional()
        .describe('Only files with these extensions: [".md", ".pdf"].'),
      pattern: z
        .string()
        .regex(/^(?:\*\*\/)?\*(?:\.[\w.-]+)?$/, 'must be **/* or **/*.md: use extensions')
        .optional()
        .describe('The same as a pattern: **/*.md; **/* for all.'),
      recursive: z.boolean().default(true).describe('Whether to read subfolders; true by default.'),
      collection: collection.default(defaultCollection),
      chunk_by: ignoredParam('texts are split into passages at natural boundaries'),
      incremental: ignoredParam('unchanged files are always skipped'),
      model: ignoredParam(noVectors),
      provider: ignoredParam(noVectors),
    }),
    effect: 'write',
    timeoutMs: 600_000,
    result:
      '{indexed: number of new passages, skipped, errors, collection, files, success}, or {error, success: false, error_type}',
    async execute(
      { paths, extensions, pattern, recursive, collection },
      { signal },
    ): Promise<Json> {
      const ending = pattern?.slice(pattern.lastIndexOf('*') + 1)
      const files = { paths: [paths].flat(), extensions, ending, isDeep: recursive, collection }
      return indexFiles(services, files, signal)
    },
  })
}

/** Files for a collection. */
export interface FilesToIndex {
  readonly paths: readonly string[]
  readonly extensions?: readonly string[] | undefined
  /** File name endings, in addition to {@link FilesToIndex.extensions}. */
  readonly ending?: string | undefined
  /** Whether subfolders are read. Default true. */
  readonly isDeep?: boolean
  readonly collection: string
}

/** Reads files of the workspace into a collection; an unreadable file does not stop the others. */
export async function indexFiles(
  services: ToolActionServices,
  { paths, extensions, ending = '', isDeep = true, collection }: FilesToIndex,
  signal: AbortSignal,
): Promise<JsonObject> {
  const workspace = requireService(services, 'workspace')
  const places: string[] = []
  for (const path of paths) {
    const place = await resolveWorkspacePath(workspace, path)
    if (!place.ok) return failedResult(place.error, place.errorType)
    places.push(place.path)
  }
  const { listFiles } = await import('../../../sources/list-files.ts')
  const { readPaths } = await import('../../../sources/read-files.ts')
  const listed = await listFiles(places, { signal, maxFiles: maxFiles, within: workspace })
  const endings = extensions?.map((extension) => extension.toLowerCase())
  const files = listed.files.filter(
    ({ path }) =>
      path.toLowerCase().endsWith(ending.toLowerCase()) &&
      (endings?.includes(extname(path).toLowerCase()) ?? true) &&
      (isDeep || places.includes(path) || places.includes(dirname(path))),
  )
  const errors = listed.passedOver.flatMap(({ path, why, isLoss }) =>
    isLoss ? [`${path}: ${why}`] : [],
  )
  let skipped = listed.passedOver.length - errors.length
  let indexed = 0
  for await (const read of readPaths(files, { signal })) {
    if (read.ok === false) errors.push(`${read.path}: ${read.unreadable.detail}`)
    if (read.ok !== true) {
      skipped += read.ok === undefined ? 1 : 0
      continue
    }
    const { document, path } = read
    const { changed } = await addToCollection(services, collection, [
      { document, path, metadata: { file: path } },
    ])
    for (const id of changed)
      indexed += (await requireService(services, 'library')().passages(id)).length
    skipped += 1 - changed.length
  }
  return {
    indexed,
    skipped,
    errors: errors.map((error) => error.replaceAll(`${workspace}/`, '')),
    collection,
    files: files.length,
    success: true,
  }
}
