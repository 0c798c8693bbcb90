/** What the files of one folder of `src/` (or one file at its top) may import from the others. */
export interface ImportRule {
  /** Folders whose code may be imported. */
  readonly code: readonly string[]
  /** Folders of which only types may be imported: the contracts that are implemented here. */
  readonly types?: readonly string[]
}

const types = ['citations', 'bibliography', 'claims']
const engine = ['kernel', 'files', 'graph', ...types, 'sources', 'retrieval', 'tools', 'reasoning']
const wing = [...engine, 'team']
const wings = ['ask', 'papers', 'agents', 'code']
const everythingBelowApp = [
  ...wing,
  ...wings,
  'models',
  'extractive',
  'eval',
  'observe',
  'testing',
  'stores',
]
const face = ['kernel', 'citations', 'bibliography', 'claims', 'observe', 'app.ts']

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
  reasoning: { code: ['kernel', 'graph'] },
  citations: { code: ['kernel'] },
  bibliography: { code: ['kernel', 'citations'] },
  claims: { code: ['kernel', 'citations', 'bibliography'] },
  extractive: { code: ['kernel', 'citations', 'claims'] },
  observe: { code: ['kernel', 'citations', 'claims'] },
  sources: { code: ['kernel', 'files', 'citations', 'bibliography'] },
  retrieval: { code: ['kernel', ...types, 'sources'] },
  tools: { code: ['kernel', 'files', ...types, 'sources', 'retrieval'] },
  stores: { code: ['kernel', 'files'], types: ['citations', 'sources', 'retrieval', 'observe'] },
  team: { code: engine },
  ask: { code: wing },
  papers: { code: wing },
  agents: { code: wing },
  code: { code: wing },
  eval: { code: wing, types: ['ask'] },
  app: { code: everythingBelowApp },
  'app.ts': { code: [...everythingBelowApp, 'app'] },
  acp: { code: face },
  server: { code: [...face, 'files'] },
  cli: { code: [...face, 'faces.ts'] },
  'faces.ts': { code: ['acp', 'server'] },
  'citations.ts': { code: ['kernel', ...types] },
  'index.ts': { code: [...everythingBelowApp, 'app', 'app.ts'] },
}
