/** What the files of one folder of `src/` (or one file at its top) may import from the others. */
export interface ImportRule {
  /** Folders whose code may be imported. */
  readonly code: readonly string[]
  /** Folders of which only types may be imported: the contracts that are implemented here. */
  readonly types?: readonly string[]
  /** Whether its sub-folders are siblings that know nothing of each other. */
  readonly hasSeparateParts?: true
}

const workflowParts = ['kernel', 'graph', 'citations', 'sources', 'retrieval', 'tools', 'reasoning']
const engine = [...workflowParts, 'workflows']
const everythingBelowApp = [
  ...engine,
  'files',
  'models',
  'extractive',
  'agents',
  'eval',
  'observe',
  'testing',
  'stores',
  'queue',
]

/**
 * Who may import whom in `src/`. A folder may always import itself. Tests (`*.test.ts`) may import anything, and
 * nothing imports them.
 */
export const importTable: Readonly<Record<string, ImportRule>> = {
  kernel: { code: [] },
  files: { code: ['kernel'] },
  graph: { code: ['kernel'] },
  models: { code: ['kernel'] },
  testing: { code: ['kernel'] },
  extractive: { code: ['kernel', 'citations'] },
  citations: { code: ['kernel'] },
  sources: { code: ['kernel', 'files', 'citations'] },
  retrieval: { code: ['kernel', 'citations', 'sources'] },
  tools: { code: ['kernel', 'files', 'citations', 'sources', 'retrieval'] },
  reasoning: { code: ['kernel', 'graph'] },
  workflows: { code: [...workflowParts, 'files'], hasSeparateParts: true },
  agents: { code: [...engine, 'files'] },
  eval: { code: engine },
  observe: { code: ['kernel', 'citations'] },
  stores: {
    code: ['kernel'],
    types: ['citations', 'sources', 'retrieval', 'observe'],
  },
  queue: { code: ['kernel', 'stores'] },
  app: { code: everythingBelowApp },
  'app.ts': { code: [...everythingBelowApp, 'app'] },
  surfaces: { code: ['kernel', 'citations', 'observe', 'app.ts'], hasSeparateParts: true },
  'index.ts': { code: [...everythingBelowApp, 'app', 'app.ts'] },
}
