import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PassageReference } from '../../src/citations/claim.ts'
import type { MintedNumber } from '../../src/citations/ledger.ts'
import { passageId, type Source } from '../../src/citations/source.ts'
import { checkClaims, measureCoverage } from '../../src/claims/check/check-claim.ts'
import { splitClaims } from '../../src/claims/check/parse-claims.ts'
import { writeThroughDraft } from '../../src/files/write-whole.ts'
import { defineGraph, end, type Node, replace, runGraph } from '../../src/graph/index.ts'
import { messageContent, messageHash } from '../../src/kernel/agent/message-hash.ts'
import { type JsonObject, type Message, startRun, type Workflow } from '../../src/kernel/index.ts'
import { sha256 } from '../../src/kernel/json.ts'
import { type BundleRequest, exportBundle } from '../../src/observe/bundle/export-bundle.ts'
import type { StoredSource } from '../../src/observe/bundle/source-member.ts'
import type { Runs } from '../kernel/runs.ts'

const text =
  'Glimmerstone melts at 412 degrees Celsius. It was found by Ada Quill in 1907.\fIt shines without heat.'
const pages = [
  { page: 1, start: 0, end: 77 },
  { page: 2, start: 78, end: text.length },
]
export const sourceId = sha256('a stone')
const source: Source = {
  id: sourceId,
  kind: 'pdf',
  title: 'Glimmerstone',
  path: '/data/stones/glimmerstone.pdf',
  sizeBytes: 700,
  pageCount: 2,
  csl: { id: sourceId, type: 'document', title: 'Glimmerstone' },
}
const references: readonly PassageReference[] = pages.map(({ page, start, end: to }) => {
  return { n: 1, passageId: passageId(sourceId, start, to), sourceId, start, end: to, page }
})
const citations: readonly MintedNumber[] = [{ n: 1, sourceId, title: 'Glimmerstone' }]

/** The one source of a small run, as a library has it. */
export const stored: StoredSource = { source, text, passages: pages }

/** The price of the one role of a small run. */
export const price = { inputUsdPerMTok: 1, cachedInputUsdPerMTok: 0.1, outputUsdPerMTok: 4 }

type State = {
  readonly citations: readonly MintedNumber[]
  readonly passages: readonly PassageReference[]
  readonly answer: string
  readonly result: JsonObject | null
}

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'At how many degrees does glimmerstone melt?' }],
  createdAt: 0,
}

const read: Node<State> = async (_state, context) => {
  await context.step('search', 'read', { query: 'glimmerstone' }, async () => {
    const passages = references.map((one) => ({ ...one, text: text.slice(one.start, one.end) }))
    return { passages } as unknown as JsonObject
  })
  return { citations, passages: references }
}

const write: Node<State> = async (_state, context) => {
  const hash = messageHash(question)
  const input = { model: 'm', role: 'writer', messages: { count: 1, chain: sha256(hash) } }
  const answer = await context.step<string>(
    'model',
    'read',
    input,
    async (attempt) => {
      attempt.keep(hash, messageContent(question))
      attempt.use({ inputTokens: 100, outputTokens: 20, costUsd: 0.00018 })
      return 'Glimmerstone melts at 412 degrees Celsius [1]. It shines without heat [1].'
    },
    {
      isPaid: true,
      loggedInput: { ...input, messages: { ...input.messages, added: [hash] } },
    },
  )
  await context.step('save', 'write', { path: '/data/stones/out/answer.md' }, async () => true)
  return { answer }
}

const check: Node<State> = async ({ answer, citations: minted, passages }) => {
  const texts = passages.map((one) => ({ ...one, text: text.slice(one.start, one.end) }))
  const claims = checkClaims(splitClaims(answer), texts, minted)
  const { path = '', csl, title } = source
  const result = { status: 'answered', question: 'At how many degrees?', answer, claims }
  const cited = [{ n: 1, sourceId, title, path, csl }]
  return {
    result: {
      ...result,
      citations: cited,
      coverage: measureCoverage(claims),
    } as unknown as JsonObject,
  }
}

/** A workflow that reads one source, asks a model once, writes a file, and answers with two checked claims. */
export const smallWorkflow: Workflow<JsonObject, JsonObject> = {
  name: 'small',
  version: '1',
  promptHashes: {},
  title: () => 'a small run',
  status: () => 'answered',
  run: async (context, input) => {
    const graph = defineGraph<State>({
      name: 'small',
      channels: {
        citations: replace<readonly MintedNumber[]>([]),
        passages: replace<readonly PassageReference[]>([]),
        answer: replace(''),
        result: replace<JsonObject | null>(null),
      },
      start: 'read',
      nodes: { read, write, check },
      edges: { read: 'write', write: 'check', check: end },
      maxVisits: 5,
    })
    const state = await runGraph(graph, context, {})
    return { ...(state.result as JsonObject), files: input.files as JsonObject }
  },
}

/** Under what a small run works. */
export const conditions = {
  configuration: { models: { writer: 'm' } },
  prices: { writer: price },
  packageVersion: '1.0.0',
}

/** Runs the small workflow under the id `run`. */
export async function makeSmallRun(runs: Runs): Promise<void> {
  const input = { files: ['/data/stones/glimmerstone.pdf'] }
  await startRun(smallWorkflow, input, 'run', runs.execution(conditions))
}

/** The bytes of a run's bundle. */
export async function bundleOf(
  runs: Runs,
  folder: string,
  changes: Partial<BundleRequest> = {},
): Promise<Buffer> {
  const path = join(folder, 'run.scholium')
  const request = {
    store: runs.store,
    runId: 'run',
    texts: 'full' as const,
    secrets: [],
    homes: [],
    workflows: new Map(),
    readSource: async (id: string) => (id === sourceId ? stored : undefined),
    ...changes,
  }
  await writeThroughDraft(path, { draft: `${path}.draft` }, ({ fd: file }) =>
    exportBundle({ ...request, file }),
  )
  return readFileSync(path)
}
