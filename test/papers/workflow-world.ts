import { passageId } from '../../src/citations/source.ts'
import { createExtractiveModel } from '../../src/extractive/extractive-model.ts'
import { sha256 } from '../../src/kernel/json.ts'
import type { ModelBinding, ModelRole, ModelSource } from '../../src/kernel/model/model.ts'
import type { LiveEvent, RunEvent } from '../../src/kernel/run/event.ts'
import { replayRun, resumeRun, startRun } from '../../src/kernel/run/run.ts'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import type { Execution } from '../../src/kernel/run/workflow.ts'
import type { PapersInput } from '../../src/papers/input.ts'
import type {
  Chunk,
  Paper,
  PaperFiles,
  PaperPlace,
  PaperReader,
  PlaceOutcome,
} from '../../src/papers/paper.ts'
import { papersWorkflow } from '../../src/papers/papers.ts'
import { loadPapersPrompts, type PapersParts } from '../../src/papers/parts.ts'
import type { PapersResult } from '../../src/papers/result.ts'
import { createLibrary } from '../../src/retrieval/create-library.ts'
import type { Library } from '../../src/retrieval/library.ts'
import type { Document } from '../../src/sources/document.ts'
import { openLibraryStore } from '../../src/stores/sqlite/library.ts'
import {
  createMemoryStore,
  type ModelCallSeen,
  type ScriptedAnswer,
  scriptModels,
  testExecution,
} from '../../src/testing/index.ts'

/** A paper as a test makes it up: each text is a page. */
export interface MadePaper {
  readonly id: string
  readonly title: string
  readonly pages: readonly string[]
  readonly more?: Partial<Paper>
  /** Why it cannot be downloaded, or not be read. */
  readonly noDownload?: string
  readonly noReading?: string
  /** What its file says that it is called. Default: its title. */
  readonly fileTitle?: string
}

/** A paper as places give it. */
export function toPaper({ id, title, more = {} }: MadePaper): Paper {
  return {
    id,
    title,
    authors: ['Ada Quill'],
    abstract: '',
    published: '2024-05-01',
    categories: ['cs.CL'],
    pdfUrl: `https://papers.example/${encodeURIComponent(id)}.pdf`,
    foundBy: ['arXiv'],
    csl: {
      id,
      type: 'article',
      title,
      author: [{ family: 'Quill', given: 'Ada' }],
      issued: { 'date-parts': [[2024]] },
    },
    ...more,
  }
}

/** What a role says; `undefined`: it has nothing of its own to say. */
export type PapersScript = (seen: ModelCallSeen) => ScriptedAnswer | undefined

/** What a run of papers came to. */
export interface PapersRun {
  readonly runId: string
  readonly result: PapersResult
  readonly events: readonly RunEvent[]
  readonly heard: readonly LiveEvent[]
  /** What models were asked in this run. */
  readonly calls: readonly ModelCallSeen[]
}

/** How a run differs from a plain one. */
export interface Running extends Partial<PapersInput> {
  readonly script?: PapersScript
  readonly parts?: Partial<PapersParts>
  readonly execution?: Partial<Execution>
  readonly schedule?: (models: ModelSource) => ModelSource
}

/** The pipeline over made-up papers: places, files and reader are small ones of their own, library and log are real. */
export class PapersWorld {
  readonly papers: readonly MadePaper[]
  readonly library: Library = createLibrary(openLibraryStore(':memory:'))
  readonly store: RunStore = createMemoryStore()
  /** How often each thing was done, such as `download arxiv:1`. */
  readonly done = new Map<string, number>()
  /** What places give instead of all papers, by their names. */
  readonly answers = new Map<string, PlaceOutcome>()
  private count = 0

  constructor(papers: readonly MadePaper[]) {
    this.papers = papers
  }

  async run(query: string, running: Running = {}): Promise<PapersRun> {
    const { script, parts, execution = {}, schedule, ...input } = running
    const runId = `run-${++this.count}`
    const heard: LiveEvent[] = []
    const scripted = scriptModels((seen) => script?.(seen) ?? plainAnswer(seen))
    const models = schedule?.(scripted.models) ?? scripted.models
    const driven = testExecution(this.store, {
      models,
      listeners: [(event) => heard.push(event)],
      ...execution,
    })
    const workflow = papersWorkflow(this.parts(parts))
    const given = { query, tiers: [['arXiv']], ...input }
    const { result } = await startRun(workflow, given, runId, driven)
    const events = await Array.fromAsync(this.store.events(runId))
    return { runId, result, events, heard, calls: scripted.calls }
  }

  async resume(runId: string, script?: PapersScript, execution: Partial<Execution> = {}) {
    const scripted = scriptModels((seen) => script?.(seen) ?? plainAnswer(seen))
    const driven = testExecution(this.store, { models: scripted.models, ...execution })
    const { result } = await resumeRun(papersWorkflow(this.parts()), runId, driven)
    return { result, calls: scripted.calls }
  }

  /** Replays with parts that fail when they are touched: what a replay needs is in the log. */
  replay(runId: string, change: (models: ModelSource) => ModelSource = (models) => models) {
    const fail = () => {
      throw new Error('a replay touches nothing')
    }
    const untouched = { place: fail, files: fail, reader: fail, library: { text: fail } as never }
    const workflow = papersWorkflow(this.parts(untouched))
    const { models } = scriptModels(fail)
    return replayRun(workflow, runId, testExecution(this.store, { models: change(models) }))
  }

  parts(changes: Partial<PapersParts> = {}): PapersParts {
    return {
      prompts: loadPapersPrompts(),
      library: this.library,
      place: async (name) => this.place(name),
      files: async () => this.files(),
      reader: async () => this.reader(),
      ...changes,
    }
  }

  /** How often something was done. */
  times(what: string): number {
    return this.done.get(what) ?? 0
  }

  private note(what: string): void {
    this.done.set(what, this.times(what) + 1)
  }

  private place(name: string): PaperPlace {
    const search = async ({ limit }: { readonly limit: number }): Promise<PlaceOutcome> => {
      this.note(`search ${name}`)
      const all = { ok: true as const, papers: this.papers.map(toPaper) }
      const given = this.answers.get(name) ?? all
      return given.ok ? { ...given, papers: given.papers.slice(0, limit) } : given
    }
    return { name, search }
  }

  private files(): PaperFiles {
    return {
      download: async ({ id }, { onProgress }) => {
        this.note(`download ${id}`)
        const made = this.made(id)
        if (made.noDownload !== undefined)
          return { ok: false, reason: 'not_found', detail: made.noDownload }
        onProgress(0.4)
        const contentHash = sha256(`${id} ${made.pages.join('\n')}`)
        return { ok: true, contentHash, sizeBytes: 1, isCached: false, from: 'test' }
      },
      pathOf: (contentHash) => `/kept/${contentHash}.pdf`,
    }
  }

  private reader(): PaperReader {
    return {
      readFile: async ({ path }) => {
        const made = this.papers.find(
          ({ id, pages }) => path.includes(sha256(`${id} ${pages.join('\n')}`)) || path === id,
        ) as MadePaper
        this.note(`read ${made.id}`)
        if (made.noReading !== undefined)
          return { ok: false, reason: 'broken', detail: made.noReading }
        const document = documentOf(made)
        await this.library.addAll([{ document, path, isListed: false }])
        return readingOf(made, document)
      },
      readSource: async () => {
        throw new Error('no paper is in the library')
      },
    }
  }

  private made(id: string): MadePaper {
    return this.papers.find((paper) => paper.id === id) as MadePaper
  }

  async close(): Promise<void> {
    await this.library.close()
    await this.store.close()
  }
}

function documentOf({ id, title, pages }: MadePaper): Document {
  const text = pages.join('\n\n')
  let start = 0
  const spans = pages.map((page) => {
    const span = { start, end: start + page.length }
    start = span.end + 2
    return span
  })
  return {
    contentHash: sha256(`${id} ${pages.join('\n')}`),
    kind: 'pdf',
    sizeBytes: text.length,
    title,
    text,
    pages: spans,
    sections: [],
    csl: { id, type: 'article', title },
    notes: [],
  }
}

/** Each paragraph is a chunk; a word with a full stop at its beginning, as in "Results. …", is its section. */
function readingOf(made: MadePaper, { contentHash, text, pages }: Document) {
  const chunks = pages.flatMap(({ start, end }, index) =>
    [...text.slice(start, end).matchAll(/[^\n]+/g)].map((found): Chunk => {
      const from = start + found.index
      const to = from + found[0].length
      const [, section] = /^(\w+)\. /.exec(found[0]) ?? []
      return {
        id: passageId(contentHash, from, to),
        start: from,
        end: to,
        page: index + 1,
        ...(section === undefined ? {} : { section }),
        tokens: Math.ceil(found[0].length / 4),
        kind: section === 'References' ? 'references' : 'text',
      }
    }),
  )
  return {
    ok: true as const,
    sourceId: contentHash,
    title: made.fileTitle ?? made.title,
    authors: [],
    abstract: '',
    pageCount: pages.length,
    sections: [],
    referenceCount: 0,
    chunks,
    notes: [],
  }
}

/** Models of which that of one role does not answer to some prompts before its time limit ends the call. */
export function withSilence(
  models: ModelSource,
  role: ModelRole,
  isSilent: (prompt: string) => boolean = () => true,
): ModelSource {
  const forRole = (asked: ModelRole): ModelBinding => {
    const binding = models.forRole(asked)
    if (asked !== role) return binding
    const load = async () => {
      const model = await binding.load()
      const doGenerate: typeof model.doGenerate = (options) =>
        isSilent(JSON.stringify(options.prompt))
          ? new Promise((_, reject) => {
              const { abortSignal } = options
              abortSignal?.addEventListener('abort', () => reject(abortSignal.reason))
            })
          : model.doGenerate(options)
      return { ...model, doGenerate }
    }
    return { ...binding, timeoutMs: 20, load }
  }
  return { ...models, forRole }
}

/** Models that take so many tokens in one call. */
export function withWindow(models: ModelSource, windowTokens: number): ModelSource {
  return { ...models, forRole: (role) => ({ ...models.forRole(role), sizes: { windowTokens } }) }
}

/** What a role was given to work on: the user's first message. */
function materialOf({ prompt }: ModelCallSeen): string {
  const first = prompt.find(({ role }) => role === 'user')
  const parts = (first?.content ?? []) as readonly { readonly text?: string }[]
  return parts.map(({ text = '' }) => text).join('')
}

/** The passages that an analyzer's prompt shows. */
export function passagesIn(seen: ModelCallSeen): readonly string[] {
  const shown = materialOf(seen)
  const material = shown.slice(shown.indexOf('Passages of the paper:'))
  return material
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { text: string }).text)
}

/** The paper that an analyzer's prompt is about. */
export function paperIn(seen: ModelCallSeen): { readonly n: number; readonly title: string } {
  const [, line = '{}'] = /The paper \(JSON\):\n(.*)/.exec(materialOf(seen)) ?? []
  return JSON.parse(line)
}

/** A finding as a synthesizer's prompt shows it. */
type ShownFinding = { readonly text: string; readonly quote?: string; readonly page?: number }

/** The papers that a synthesizer's prompt shows. */
export function papersIn(seen: ModelCallSeen) {
  const shown = materialOf(seen)
  const material = shown.slice(shown.indexOf('The papers:'))
  const lines = material.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line)) as readonly {
    readonly n: number
    readonly id: string
    readonly key_findings: readonly ShownFinding[]
  }[]
}

/** What a role says in a plain run: an analysis of the first sentence of each passage, a summary of each paper's first finding. */
export function plainAnswer(seen: ModelCallSeen): ScriptedAnswer {
  if (seen.role === 'analyzer') {
    const sentences = passagesIn(seen).map((text) => firstSentence(text))
    return { json: { ...emptyAnalysis, key_findings: sentences } }
  }
  if (seen.role === 'synthesizer') {
    const summary = papersIn(seen)
      .map(({ n, key_findings: [first] }) => `${first?.text.replace(/\.$/, '')} [${n}].`)
      .join(' ')
    return { json: { ...emptySynthesis, summary } }
  }
  return { json: { verdicts: [] } }
}

/** An analysis that says nothing. */
export const emptyAnalysis = {
  methodology: [],
  key_findings: [],
  conclusions: [],
  limitations: [],
  contributions: [],
}

/** A synthesis that says nothing. */
export const emptySynthesis = { consensus: [], contradictions: [], gaps: [], summary: '' }

function firstSentence(text: string): string {
  const [, said = text] = /^(?:\w+\. )?([^.]*\.)/.exec(text) ?? []
  return said
}

/** The built-in engine as a source of models. */
export const extractiveModels: ModelSource = {
  forRole: (role: ModelRole): ModelBinding => ({
    role,
    name: 'extractive',
    effect: 'pure',
    price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0 },
    temperature: 0,
    maxOutputTokens: 4_096,
    timeoutMs: 120_000,
    isStreamed: false,
    load: async () => createExtractiveModel(),
  }),
}
