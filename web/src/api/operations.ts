// Written by tools/page-api.ts from the server's /openapi.json.

export type Access = {
  readonly role: 'read' | 'run' | 'admin'
  readonly web: boolean
  readonly files: boolean
  readonly agents: boolean
}

export type AddedFiles = {
  readonly files: readonly {
    readonly name: string
    readonly outcome: 'added' | 'unchanged' | 'updated' | 'refused' | 'passed_over'
    readonly id?: string
    readonly title?: string
    readonly notes?: readonly string[]
    readonly reason?: string
    readonly detail?: string
    readonly hint?: string
  }[]
}

export type AgentRequest = {
  readonly workflow: 'agent'
  readonly agent: string
  readonly input?: Readonly<Record<string, unknown>>
  readonly web?: boolean
  readonly limits?: {
    readonly maxSteps?: number
    readonly maxTokens?: number
    readonly maxCostUsd?: number
    readonly maxSeconds?: number
  }
  readonly session?: string
}

export type AnswerRequest = {
  readonly answer: string | boolean | number | Readonly<Record<string, unknown>>
  readonly key?: string
}

export type AskRequest = {
  readonly workflow: 'ask'
  readonly question: string
  readonly continue?: string
  readonly sources?: readonly string[]
  readonly web?: boolean
  readonly depth?: 'quick' | 'standard' | 'thorough'
  readonly claims?: 'mark' | 'strict' | 'off'
  readonly answerFormat?: 'full' | 'short'
  readonly approvePlan?: boolean
  readonly sequential?: boolean
  readonly retryLimit?: number
  readonly python?: boolean
  readonly limits?: {
    readonly maxSteps?: number
    readonly maxTokens?: number
    readonly maxCostUsd?: number
    readonly maxSeconds?: number
  }
  readonly session?: string
}

export type CitedText = {
  readonly n: number
  readonly title: string
  readonly kind: string
  readonly url?: string
  readonly start: number
  readonly text: string
  readonly totalChars: number
}

export type Estimate = {
  readonly depth: 'quick' | 'standard' | 'thorough'
  readonly modelCalls: { readonly from: number; readonly to: number }
  readonly tokens: { readonly from: number; readonly to: number }
  readonly costUsd: { readonly from: number; readonly to: number } | null
  readonly earlierRuns: number
}

export type ForkRequest = {
  readonly at?: string
  readonly question?: string
  readonly models?: {
    readonly default?: string
    readonly planner?: string
    readonly researcher?: string
    readonly expert?: string
    readonly critic?: string
    readonly finalizer?: string
    readonly verifier?: string
    readonly analyzer?: string
    readonly synthesizer?: string
    readonly embedding?: string
  }
  readonly changes?: readonly { readonly path: string; readonly value?: unknown }[]
  readonly limits?: {
    readonly maxSteps?: number
    readonly maxTokens?: number
    readonly maxCostUsd?: number
    readonly maxSeconds?: number
  }
  readonly session?: string
}

export type FoundPassages = {
  readonly hits: readonly {
    readonly score: number
    readonly source: Source
    readonly passage: {
      readonly id: string
      readonly start: number
      readonly end: number
      readonly page?: number
      readonly section?: string
      readonly text: string
    }
  }[]
}

export type LibraryPage = { readonly sources: readonly Source[]; readonly next?: string }

export type LogEntry = {
  readonly seq: number
  readonly ts: number
  readonly type: string
  readonly key: string
  readonly kind?: string
  readonly name?: string
  readonly startedAt?: number
  readonly role?: string
  readonly model?: string
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly costUsd?: number
  readonly isPause?: true
  readonly text?: string
}

export type LogEvent = {
  readonly event: { readonly seq: number; readonly type: string; readonly key: string }
  readonly input?: unknown
  readonly messages?: readonly { readonly role: string; readonly parts?: unknown }[]
  readonly missing?: number
}

export type LogPage = { readonly events: readonly LogEntry[]; readonly next?: number }

export type Models = {
  readonly roles: readonly {
    readonly role: string
    readonly name: string
    readonly price?: { readonly inputUsdPerMTok: number; readonly outputUsdPerMTok: number }
  }[]
}

export type PapersRequest = {
  readonly workflow: 'papers'
  readonly query?: string
  readonly continue?: string
  readonly sources?: readonly string[]
  readonly add?: readonly string[]
  readonly web?: boolean
  readonly category?: string
  readonly count?: number
  readonly threshold?: number
  readonly claims?: 'mark' | 'strict' | 'off'
  readonly fresh?: boolean
  readonly limits?: {
    readonly maxSteps?: number
    readonly maxTokens?: number
    readonly maxCostUsd?: number
    readonly maxSeconds?: number
  }
  readonly session?: string
}

export type ReplayReport = {
  readonly runId: string
  readonly isIdentical: boolean
  readonly steps: number
  readonly unclaimed: readonly string[]
}

export type ResumeRequest = {
  readonly limits?: {
    readonly maxSteps?: number
    readonly maxTokens?: number
    readonly maxCostUsd?: number
    readonly maxSeconds?: number
  }
}

export type Run = {
  readonly runId: string
  readonly workflow: string
  readonly title: string
  readonly status:
    | 'running'
    | 'interrupted'
    | 'waiting'
    | 'answered'
    | 'partial'
    | 'unanswered'
    | 'failed'
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastSeq: number
  readonly parent?: { readonly runId: string; readonly seq: number }
  readonly queue?: number
  readonly isElsewhere?: true
  readonly result?: { readonly schema: string }
  readonly notices?: readonly {
    readonly level: 'info' | 'warning' | 'error'
    readonly message: string
  }[]
  readonly question?: { readonly key: string; readonly prompt?: unknown }
}

export type RunDiff = { readonly schema: 'scholium.diff/1'; readonly isSame: boolean }

export type RunFigureList = { readonly figures: readonly RunFigures[] }

export type RunFigures = {
  readonly runId: string
  readonly lastSeq: number
  readonly wallMs: number
  readonly calls: number
  readonly costUsd?: number
  readonly coverage?: Readonly<Record<string, number>>
}

export type RunGraph = {
  readonly schema: 'scholium.graph/1'
  readonly runId: string
  readonly workflow: string
  readonly start: string
  readonly nodes: readonly {
    readonly name: string
    readonly caption?: string
    readonly visits: number
  }[]
  readonly edges: readonly {
    readonly from: string
    readonly to: string
    readonly isConditional: boolean
    readonly label?: string
    readonly taken: number
  }[]
  readonly way: readonly {
    readonly node: string
    readonly key: string
    readonly seq: number
    readonly endedAt: number
    readonly branches?: number
  }[]
}

export type RunPage = { readonly runs: readonly RunSummary[]; readonly next?: string }

export type RunSummary = {
  readonly runId: string
  readonly workflow: string
  readonly title: string
  readonly status:
    | 'running'
    | 'interrupted'
    | 'waiting'
    | 'answered'
    | 'partial'
    | 'unanswered'
    | 'failed'
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastSeq: number
  readonly parent?: { readonly runId: string; readonly seq: number }
}

export type Source = {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly sizeBytes: number
}

export type SourceText = {
  readonly start: number
  readonly end: number
  readonly totalChars: number
  readonly text: string
}

export type StartRequest = AskRequest | PapersRequest | AgentRequest

export interface Operations {
  'GET /api/runs': {
    query?: {
      limit?: number
      cursor?: string
      workflow?: string
      status?:
        | 'running'
        | 'interrupted'
        | 'waiting'
        | 'answered'
        | 'partial'
        | 'unanswered'
        | 'failed'
      text?: string
      from?: string
      to?: string
      minCostUsd?: number
    }
    response: RunPage
  }
  'POST /api/runs': { body: StartRequest; response: Run }
  'GET /api/runs/{id}': { path: { id: string }; response: Run }
  'DELETE /api/runs/{id}': { path: { id: string }; response: undefined }
  'POST /api/runs/{id}/answer': { path: { id: string }; body: AnswerRequest; response: Run }
  'POST /api/runs/{id}/cancel': { path: { id: string }; response: Run }
  'POST /api/runs/{id}/finish': { path: { id: string }; response: Run }
  'POST /api/runs/{id}/resume': { path: { id: string }; body?: ResumeRequest; response: Run }
  'POST /api/runs/{id}/fork': { path: { id: string }; body: ForkRequest; response: Run }
  'POST /api/runs/{id}/replay': { path: { id: string }; response: ReplayReport }
  'GET /api/run-figures': { query?: { runs: string }; response: RunFigureList }
  'GET /api/runs/{id}/graph': { path: { id: string }; response: RunGraph }
  'GET /api/runs/{id}/log': {
    path: { id: string }
    query?: { after?: number | null; limit?: number }
    response: LogPage
  }
  'GET /api/runs/{id}/log/{seq}': { path: { id: string; seq: number }; response: LogEvent }
  'GET /api/runs/{id}/diff': { path: { id: string }; query?: { with: string }; response: RunDiff }
  'GET /api/runs/{id}/references': {
    path: { id: string }
    query?: {
      format?: 'text' | 'markdown' | 'html' | 'bibtex' | 'ris' | 'csl'
      style?: 'apa' | 'chicago' | 'ieee' | 'apa-arxiv'
    }
    response: string
  }
  'GET /api/runs/{id}/sources/{n}': {
    path: { id: string; n: number }
    query?: { start?: number | null; chars?: number }
    response: CitedText
  }
  'POST /api/estimate': { body: AskRequest; response: Estimate }
  'GET /api/models': { response: Models }
  'GET /api/library': { query?: { limit?: number; cursor?: string }; response: LibraryPage }
  'POST /api/library': { query?: { name: string }; body?: string; response: AddedFiles }
  'DELETE /api/library/{id}': { path: { id: string }; response: undefined }
  'GET /api/library/search': {
    query?: { q: string; limit?: number; perSource?: number }
    response: FoundPassages
  }
  'GET /api/sources/{id}': { path: { id: string }; query?: { run?: string }; response: Source }
  'GET /api/sources/{id}/text': {
    path: { id: string }
    query?: {
      run?: string
      start?: number | null
      chars?: number
      passage?: string
      around?: number | null
    }
    response: SourceText
  }
  'GET /api/access': { response: Access }
  'POST /api/invitation': { body: { readonly code: string }; response: { readonly token: string } }
}
