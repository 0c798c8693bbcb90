import { createToolRegistry, type Tool, type ToolRegistry } from '../kernel/agent/tool.ts'
import { sha256 } from '../kernel/json.ts'
import { chooseModel } from '../kernel/model/choose-model.ts'
import type { ModelBinding } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { CodeParts, MoreTools } from './parts.ts'
import { commandRules, findNamedRules, findRule } from './rules.ts'
import type { CodeInput, CodeSettings } from './settings.ts'
import type { Skill } from './skills/skills.ts'
import { acceptLooseArguments, type CodeTool, type FileMemory } from './tools/code-tool.ts'
import { createCodeToolRegistry } from './tools/code-tools.ts'
import type { TurnRecord } from './turn-record.ts'

/** The rules that tools are created under. */
export type ToolRules = Pick<CodeSettings, 'allow' | 'deny'>

/** A model with the tools it is offered. */
export interface SessionAgent {
  readonly model: ModelBinding
  readonly tools: ToolRegistry
}

/** The agents of a session, one per model, and their tools. */
export class SessionAgents {
  /** Record of the current request; it answers what tools ask about files. */
  record: TurnRecord | undefined
  private readonly session: RunContext
  private readonly input: CodeInput
  private readonly parts: CodeParts
  private readonly more: MoreTools
  private readonly skills: readonly Skill[]
  private readonly sets = new Map<string, readonly CodeTool[]>()
  private readonly registries = new Map<readonly CodeTool[], ToolRegistry>()
  private readonly agents = new Map<string, SessionAgent>()

  constructor(
    session: RunContext,
    input: CodeInput,
    parts: CodeParts,
    { more, skills }: { readonly more: MoreTools; readonly skills: readonly Skill[] },
  ) {
    this.session = session
    this.input = input
    this.parts = parts
    this.more = more
    this.skills = skills
  }

  /** The workspace's tools under these rules, created once per set of rules. */
  getTools({ allow, deny }: ToolRules): readonly CodeTool[] {
    const rules = [...commandRules(allow, 'allow'), ...commandRules(deny, 'deny')]
    const ruled = (texts: readonly string[]) => ({
      read: findNamedRules(texts, 'read'),
      env: findNamedRules(texts, 'env'),
    })
    const [allowed, denied] = [ruled(allow), ruled(deny)]
    const key = JSON.stringify([rules, allowed, denied])
    const { workspace, web } = this.input
    const known = this.sets.get(key)
    const { memory, skills } = this
    const verdictOn = (what: 'read' | 'env', name: string) => {
      if (findRule(denied[what], what, [name]) !== undefined) return 'deny'
      return findRule(allowed[what], what, [name]) === undefined ? undefined : 'allow'
    }
    const made = known ?? this.parts.tools({ workspace, web, rules, verdictOn, memory, skills })
    const set = known ?? made.map(acceptLooseArguments)
    this.sets.set(key, set)
    return set
  }

  /** All tools offered to a model under these rules. */
  getRegistry(rules: ToolRules): ToolRegistry {
    const set = this.getTools(rules)
    const registry =
      this.registries.get(set) ?? mergeRegistries(createCodeToolRegistry(set), this.more.tools)
    this.registries.set(set, registry)
    return registry
  }

  /** Names of further tools that the operator has allowed. */
  get allowed(): readonly string[] {
    return this.more.allowed
  }

  /** The agent for the model in the settings. @throws `invalid_configuration` if the model cannot be called */
  async getAgent(context: RunContext, settings: CodeSettings): Promise<SessionAgent> {
    const model = await chooseModel(context, 'default', settings.model)
    const tools = this.getRegistry(settings)
    const known = this.agents.get(model.name)
    const agent = known?.tools === tools ? known : { model: known?.model ?? model, tools }
    this.agents.set(model.name, agent)
    return agent
  }

  private get memory(): FileMemory {
    const { journal } = this.session.services
    return {
      lastHash: (path) => this.record?.lastHash(path),
      keep: async (text) => {
        const hash = sha256(text)
        journal.keep([{ hash, text }])
        return hash
      },
    }
  }
}

function mergeRegistries(own: ToolRegistry, more: readonly Tool[]): ToolRegistry {
  const others = createToolRegistry(more)
  return {
    tools: [...own.tools, ...others.tools],
    get: (name) => own.get(name) ?? others.get(name),
  }
}
