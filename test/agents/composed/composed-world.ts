import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import * as z from 'zod'
import type { Action, ActionRegistry } from '../../../src/agents/actions/action.ts'
import {
  type ComposedOptions,
  createComposedActions,
} from '../../../src/agents/actions/composed/create-composed-actions.ts'
import { refusedActions } from '../../../src/agents/actions/refused-actions.ts'
import { fileActions } from '../../../src/agents/actions/tools/file-actions.ts'
import { defineToolAction } from '../../../src/agents/actions/tools/tool-action.ts'
import type { AgentDocument } from '../../../src/agents/document/agent-document.ts'
import type { KnownAction } from '../../../src/agents/document/checks.ts'
import { formatProblem } from '../../../src/agents/document/problem.ts'
import { readAgentDocument } from '../../../src/agents/document/read-document.ts'
import { createAgentInput } from '../../../src/agents/run/agent-input.ts'
import type { AgentParts } from '../../../src/agents/run/agent-parts.ts'
import type { AgentResult } from '../../../src/agents/run/agent-result.ts'
import { agentWorkflow } from '../../../src/agents/run/agent-workflow.ts'
import { createTemplates } from '../../../src/agents/templates/templates.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import type { Execution } from '../../../src/kernel/run/workflow.ts'
import type { ModelRequestSeen, Script, ScriptedReply } from '../../../src/testing/index.ts'
import { runInMemory, type TestRun } from '../../../src/testing/test-execution.ts'
import { type HttpModel, useHttpModel } from '../../kernel/http-model.ts'

/** Agent files over composed actions, a few tools and a model behind a real HTTP server. */
export class ComposedWorld {
  readonly model: HttpModel
  workspace = ''
  /** Actions of one test, in addition to the common ones. */
  moreActions: readonly Action[] = []
  /** What the tools were called with, in order. */
  readonly called: string[] = []

  constructor(model: HttpModel) {
    this.model = model
  }

  /** The model says these, one after the other; then `nothing more`. */
  says(...replies: readonly ScriptedReply[]): void {
    this.model.script = ({ number }) => replies[number - 1] ?? { text: 'nothing more' }
  }

  /** The model answers by what it is asked. */
  answers(reply: Script): void {
    this.model.script = reply
  }

  get requests(): readonly ModelRequestSeen[] {
    return this.model.server.requests
  }

  actions(options: Partial<ComposedOptions> = {}): ActionRegistry {
    const composed = createComposedActions({ providers: ['openai-compatible'], ...options })
    const files = fileActions({ workspace: this.workspace })
    const all = [...composed, ...files, ...this.tools(), ...this.moreActions]
    const byName = new Map(all.map((action) => [nameOf(action), action]))
    return { all, get: (name) => byName.get(name) }
  }

  /** A document of nodes and other members. @throws with its problems when it has errors */
  async parse(text: string, options: Partial<ComposedOptions> = {}): Promise<AgentDocument> {
    const actions = new Map(
      this.actions(options).all.map((action) => [nameOf(action), known(action)]),
    )
    const refused = refusedActions(options.features)
    const checks = { actions, refused, templates: await createTemplates() }
    const outcome = await readAgentDocument(text, { path: 'test.yaml', checks })
    if (!outcome.ok) throw new Error(outcome.problems.map(formatProblem).join('\n'))
    return outcome.document
  }

  /** Runs a document once over a log in memory. */
  async run(
    text: string,
    input: JsonObject = {},
    { parts = {}, options = {}, changes = {}, environment = {} }: RunChanges = {},
  ): Promise<TestRun<AgentResult>> {
    const document = await this.parse(text, options)
    const all = { actions: this.actions(options), workspace: this.workspace, ...parts }
    const models = changes.models ?? this.model.source()
    const secretNames = Object.keys(parts.secrets ?? {})
    const given = createAgentInput({ document, input, environment, secretNames })
    return runInMemory(agentWorkflow(all), given, { ...changes, models })
  }

  /** The last state of a document of one node `n` that does an action. */
  async state(action: string, params: JsonObject, rest = ''): Promise<JsonObject> {
    const { result } = await this.run(oneNode(action, params, rest))
    if (result.failure !== undefined)
      throw new Error(`${result.failure.code}: ${result.failure.message}`)
    return result.state
  }

  private tools() {
    const text = z.strictObject({ text: z.string() })
    const tool = (name: string, execute: (text: string) => string, isForeign = false) =>
      defineToolAction({
        name,
        description: `Does ${name}.`,
        input: text,
        effect: name === 'note.write' ? 'write' : 'read',
        ...(isForeign ? { untrusted: 'results' as const } : {}),
        result: 'a text',
        execute: async ({ text: given }) => {
          this.called.push(`${name} ${given}`)
          return execute(given)
        },
      })
    return [
      tool('word.upper', (given) => given.toUpperCase()),
      tool('word.count', (given) => `${given.length}`),
      tool('page.read', (given) => `page about ${given}`, true),
      tool('note.write', () => 'written'),
    ]
  }
}

interface RunChanges {
  readonly environment?: Readonly<Record<string, string>>
  readonly parts?: Partial<AgentParts>
  readonly options?: Partial<ComposedOptions>
  readonly changes?: Partial<Execution>
}

/** A document of one node. @param rest other members of the document, as YAML */
export function oneNode(action: string, params: JsonObject, rest = ''): string {
  return `name: test\n${rest}\nnodes:\n  - name: n\n    uses: ${action}\n    with: ${JSON.stringify(params)}\n    output: r\n`
}

function nameOf(action: Action): string {
  return action.kind === 'tool' ? action.tool.name : action.name
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

/** Gives each test of the surrounding `describe` a world of its own. */
export function useComposedWorld(): () => ComposedWorld {
  const model = useHttpModel()
  let world: ComposedWorld
  beforeEach(() => {
    world = new ComposedWorld(model)
    world.workspace = mkdtempSync(join(tmpdir(), 'scholium-agents-'))
  })
  afterEach(() => rmSync(world.workspace, { recursive: true, force: true }))
  return () => world
}
