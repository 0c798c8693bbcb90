import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import { ignoredParam, type ToolAction } from '../action.ts'
import {
  addToCollection,
  collectionSources,
  defaultCollection,
  searchCollection,
} from './collections.ts'
import {
  addNumbers,
  collection,
  indexFiles,
  metadata,
  noVectors,
  text,
  toStoredText,
} from './library-actions.ts'
import {
  defineToolAction,
  failedResult,
  requireService,
  type ToolActionServices,
} from './tool-action.ts'

const documents = z
  .array(z.union([text, z.strictObject({ text, metadata: metadata.default({}) })]))
  .min(1)
  .max(1_000)
  .describe('Texts, or maps {text, metadata}; at most 1,000.')

const index = collection
  .default(defaultCollection)
  .describe('The name of the index, a library collection.')

const modelParams = {
  embedding_model: ignoredParam(noVectors),
  llm_model: ignoredParam('no model writes an answer'),
}

/** Indexes of texts, as collections of the library. */
export function ragActions(services: ToolActionServices): readonly ToolAction[] {
  return [createAction(services), addAction(services), loadAction(services), queryAction(services)]
}

function createAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'rag.llamaindex.create_index',
    description: 'Creates an index, a library collection, from texts or a workspace folder.',
    input: z
      .strictObject({
        documents: documents.optional(),
        directory: z.string().optional().describe('A folder in the workspace.'),
        persist_path: index,
        ...modelParams,
      })
      .refine(
        ({ documents, directory }) => (documents === undefined) !== (directory === undefined),
        'Give either documents or directory.',
      ),
    effect: 'write',
    keeps: true,
    timeoutMs: 600_000,
    result: '{success, persist_path, document_count}, or {error, success: false, error_type}',
    async execute({ documents, directory, persist_path: name }, { signal }): Promise<Json> {
      const refused = requireService(services, 'memory')().explainRefusal?.(documents ?? null)
      if (refused !== undefined) return failedResult(refused, 'secret')
      if (documents !== undefined) await addTexts(services, name, documents)
      else {
        const indexed = await indexFiles(
          services,
          { paths: [directory as string], collection: name },
          signal,
        )
        if (indexed.success !== true) return indexed
      }
      const { size } = await collectionSources(services, name)
      return { success: true, persist_path: name, document_count: size }
    },
  })
}

function addAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'rag.llamaindex.add_documents',
    description: 'Adds texts to an index.',
    input: z.strictObject({ documents, index_path: index, ...modelParams }),
    effect: 'write',
    keeps: true,
    timeoutMs: 120_000,
    result: '{success, index_path, added_count, document_count}',
    async execute({ documents, index_path: name }): Promise<Json> {
      const refused = requireService(services, 'memory')().explainRefusal?.(documents)
      if (refused !== undefined) return failedResult(refused, 'secret')
      await addTexts(services, name, documents)
      const { size } = await collectionSources(services, name)
      return {
        success: true,
        index_path: name,
        added_count: documents.length,
        document_count: size,
      }
    },
  })
}

type Texts = z.output<typeof documents>

async function addTexts(
  services: ToolActionServices,
  name: string,
  documents: Texts,
): Promise<void> {
  const additions = await Promise.all(
    documents.map((one) =>
      typeof one === 'string'
        ? toStoredText(name, one, {})
        : toStoredText(name, one.text, one.metadata),
    ),
  )
  await addToCollection(services, name, additions)
}

function loadAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'rag.llamaindex.load_index',
    description:
      'Checks whether an index exists and how many documents it has. Loading is not needed before searching.',
    input: z.strictObject({ index_path: index, ...modelParams }),
    effect: 'read',
    result: '{success, index_path, document_count}, or {error, success: false, error_type}',
    async execute({ index_path: name }): Promise<Json> {
      const { size } = await collectionSources(services, name)
      return size === 0
        ? failedResult(`There is no index ${JSON.stringify(name)}.`, 'not_found')
        : { success: true, index_path: name, document_count: size }
    },
  })
}

function queryAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'rag.llamaindex.query',
    description:
      'Finds the passages of an index that best match a query. No model writes an answer: pass the passages to llm.call.',
    input: z.strictObject({
      query: z.string().trim().min(1).max(2_000).describe('The query.'),
      index_path: index,
      similarity_top_k: z
        .int()
        .min(1)
        .max(100)
        .default(5)
        .describe('Maximum number of passages, 1 to 100; 5 by default.'),
      response_mode: ignoredParam('no model writes an answer'),
      ...modelParams,
    }),
    effect: 'read',
    untrusted: 'results',
    result:
      '{response: the numbered passages as text, nodes: [{n, id, text, metadata}], scores, success}',
    async execute({ query, index_path: name, similarity_top_k: limit }): Promise<Json> {
      const hits = await searchCollection(services, { query, limit, collection: name, filter: {} })
      const nodes = hits.map(addNumbers).map(({ score: _score, ...node }) => node)
      const response = hits.map(({ passage }, at) => `[${at + 1}] ${passage.text}`).join('\n\n')
      return { response, nodes, scores: hits.map(({ score }) => score), success: true }
    },
  })
}
