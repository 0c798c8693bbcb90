import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, type AppOptions, createApp } from '../../src/app.ts'
import {
  createQuickClock,
  findRole,
  type ModelRequestSeen,
  type RoleScript,
  type ScriptedModel,
  type ScriptedRole,
  scriptTeam,
  startScriptedModel,
  type TeamScript,
} from '../../src/testing/index.ts'

const pages: Readonly<Record<string, string>> = {
  'glimmerstone.md':
    '# Glimmerstone\n\nGlimmerstone melts at 412 degrees Celsius. It was found by Ada Quill in 1907.\n',
  'varnel.md': '# The varnel\n\nThe varnel is a bird that weighs 32 grams.\n',
  'opal.md': '# Opal\n\nOpal melts at 900 degrees Celsius.\n',
}

/** The sentences of the library. */
export const said = {
  glimmerstone: 'Glimmerstone melts at 412 degrees Celsius',
  varnel: 'The varnel is a bird that weighs 32 grams',
  opal: 'Opal melts at 900 degrees Celsius',
} as const

/** A home with a small library, and a team behind a real HTTP server that says what a test scripts. */
export class ContinuedWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-continue-'))
  private model: ScriptedModel | undefined
  private script = scriptTeam()
  private readonly opened: App[] = []

  async open(): Promise<void> {
    this.model = await startScriptedModel((seen) => this.script(seen))
    mkdirSync(join(this.folder, 'library'))
    for (const [name, text] of Object.entries(pages)) this.write(`library/${name}`, text)
    await Array.fromAsync(this.app().addToLibrary(['library']))
  }

  async close(): Promise<void> {
    for (const app of this.opened.splice(0)) await app.close()
    await this.model?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  write(name: string, text: string): string {
    const path = join(this.folder, name)
    writeFileSync(path, text)
    return path
  }

  /** How an app over this world's home is made. */
  options(home = 'home'): AppOptions {
    return {
      home: join(this.folder, home),
      folder: this.folder,
      models: { default: 'openai-compatible:scripted' },
      environment: { OPENAI_BASE_URL: this.model?.url ?? '' },
    }
  }

  app(options: AppOptions = {}): App {
    const app = createApp({ ...this.options(), clock: createQuickClock(), ...options })
    this.opened.push(app)
    return app
  }

  say(team: TeamScript): void {
    this.script = scriptTeam(team)
  }

  get requests(): readonly ModelRequestSeen[] {
    return this.model?.requests ?? []
  }

  /** What a role was sent since a request. */
  sentTo(role: ScriptedRole, since = 0): readonly ModelRequestSeen[] {
    return this.requests.slice(since).filter((seen) => findRole(seen) === role)
  }
}

/** A planner that plans these steps. */
export function planning(...steps: readonly string[]): RoleScript {
  return { json: { research_steps: [...steps], expert_steps: ['Answer.'] } }
}

/** The text of a request's messages without its system prompt. */
export function material({ body }: ModelRequestSeen): string {
  const messages = body.messages as readonly { readonly role: string; readonly content: unknown }[]
  return messages
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .join('\n')
}

/** The turns of the conversation that a request tells of. */
export function turnsIn(seen: ModelRequestSeen): readonly { question: string; answer?: string }[] {
  return material(seen)
    .split('\n')
    .filter((line) => line.startsWith('{"question":'))
    .map((line) => JSON.parse(line))
}
