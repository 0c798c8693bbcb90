import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Action, ActionRegistry } from '../../../src/agents/actions/action.ts'
import { createComposedActions } from '../../../src/agents/actions/composed/create-composed-actions.ts'
import { refusedActions } from '../../../src/agents/actions/refused-actions.ts'
import { createInProcessMemory } from '../../../src/agents/actions/tools/agent-memory.ts'
import { createToolActions } from '../../../src/agents/actions/tools/create-tool-actions.ts'
import { createStateActions } from '../../../src/agents/actions/tools/state-actions.ts'
import type { ToolActionServices } from '../../../src/agents/actions/tools/tool-action.ts'
import type { KnownAction } from '../../../src/agents/document/checks.ts'
import { type DocumentProblem, formatProblem } from '../../../src/agents/document/problem.ts'
import { readAgentDocument } from '../../../src/agents/document/read-document.ts'
import { createAgentInput } from '../../../src/agents/run/agent-input.ts'
import type { AgentParts } from '../../../src/agents/run/agent-parts.ts'
import { agentWorkflow } from '../../../src/agents/run/agent-workflow.ts'
import { createTemplates } from '../../../src/agents/templates/templates.ts'
import { fromFailure } from '../../../src/kernel/errors.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import type { Execution } from '../../../src/kernel/run/workflow.ts'
import { createLibrary } from '../../../src/retrieval/create-library.ts'
import { openLibraryStore } from '../../../src/stores/sqlite/library.ts'
import { runInMemory } from '../../../src/testing/test-execution.ts'
import { nameOf } from '../test-actions.ts'

/** Agent files over all actions, with a workspace, a library and a memory of their own. */
export class ActionWorld {
  readonly workspace = mkdtempSync(join(tmpdir(), 'agent-actions-'))
  readonly actions: ActionRegistry
  private readonly parts: Partial<AgentParts>

  constructor(services: ToolActionServices = {}, parts: Partial<AgentParts> = {}) {
    const library = createLibrary(openLibraryStore(':memory:'))
    const memory = createInProcessMemory(() => 0)
    const { workspace } = this
    const given = { workspace, library: () => library, memory: () => memory, ...services }
    const composed = createComposedActions({ providers: [], memory: given.memory })
    const all: readonly Action[] = [
      ...createToolActions(given),
      ...createStateActions(),
      ...composed,
    ]
    const byName = new Map(all.map((action) => [nameOf(action), action]))
    this.actions = { all, get: (name) => byName.get(name) }
    this.parts = parts
  }

  /** What is wrong with a document, as its writer sees it. */
  async problems(text: string): Promise<readonly string[]> {
    const outcome = await this.read(text)
    const problems: readonly DocumentProblem[] = outcome.ok ? [] : outcome.problems
    return problems.map(formatProblem)
  }

  /** The end state of a document, run once over a log in memory. @throws with the problems of a document, or what ended the run */
  async run(
    text: string,
    input: JsonObject = {},
    changes: Partial<Execution> = {},
  ): Promise<JsonObject> {
    const outcome = await this.read(text)
    if (!outcome.ok) throw new Error(outcome.problems.map(formatProblem).join('\n'))
    const { document } = outcome
    const parts = { actions: this.actions, workspace: this.workspace, ...this.parts }
    const given = createAgentInput({ document, input, subgraphs: {} })
    const { result } = await runInMemory(agentWorkflow(parts), given, changes)
    if (result.failure !== undefined) throw fromFailure(result.failure)
    return result.state
  }

  private async read(text: string) {
    const actions = new Map(this.actions.all.map((action) => [nameOf(action), known(action)]))
    const refused = refusedActions()
    const checks = { actions, refused, templates: await createTemplates() }
    return readAgentDocument(text, { path: 'test.yaml', checks })
  }
}

function known(action: Action): KnownAction {
  const { params, needs } = action
  const late = action.kind === 'composed' ? action.lateParams : undefined
  return {
    name: nameOf(action),
    params,
    ...(needs === undefined ? {} : { needs }),
    ...(late === undefined ? {} : { lateParams: late }),
  }
}
