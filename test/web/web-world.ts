import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, type App, createApp } from '../../src/index.ts'
import type { RunEvent } from '../../src/kernel/index.ts'
import {
  createQuickClock,
  type ModelRequestSeen,
  type ScriptedModel,
  type ScriptedReply,
  scriptTeam,
  startScriptedModel,
  type TeamScript,
} from '../../src/testing/index.ts'
import { readShown, type ShownResult } from '../shown-results.ts'
import { hits, pageOf, type Reply, type Seen, type Service, startService } from './services.ts'

/** What the one page of the world says. */
export const sentence = 'Glimmerstone melts at 412 degrees Celsius'
export const question = 'At what temperature does glimmerstone melt?'

/** How the services answer; each has a plain answer of its own. */
export type Answers = { readonly [name in ServiceName]?: (seen: Seen) => Reply }
const names = [
  'pages',
  'tavily',
  'searxng',
  'wikipedia',
  'youtube',
  'arxiv',
  'semantic-scholar',
  'openalex',
  'crossref',
  'duckduckgo',
] as const
export type ServiceName = (typeof names)[number]

/** A home, a scripted model and a web of services on loopback, each with a port of its own. */
export class WebWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-web-'))
  readonly services = new Map<ServiceName, Service>()
  answers: Answers = {}
  private model: ScriptedModel | undefined
  private script = scriptTeam()
  private readonly opened: App[] = []

  async open(): Promise<void> {
    this.model = await startScriptedModel((seen) => this.script(seen))
    for (const name of names)
      this.services.set(
        name,
        await startService((seen) => this.answers[name]?.(seen) ?? this.plain(name)),
      )
  }

  /** Ends what one test opened, and lets the services answer plainly again. */
  async reset(): Promise<void> {
    this.answers = {}
    for (const app of this.opened.splice(0)) await app.close()
  }

  async close(): Promise<void> {
    await this.reset()
    await this.model?.close()
    for (const service of this.services.values()) await service.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  service(name: ServiceName): Service {
    return this.services.get(name) as Service
  }

  get pageUrl(): string {
    return `${this.service('pages').origin}/stones/glimmerstone`
  }

  get modelRequests(): readonly ModelRequestSeen[] {
    return this.model?.requests ?? []
  }

  get modelUrl(): string {
    return this.model?.url ?? ''
  }

  /** The servers that stand for the web's. Pages are read nowhere else on this machine. */
  get servers() {
    const baseUrls = Object.fromEntries(
      [...this.services].flatMap(([name, { origin }]) =>
        name === 'pages' ? [] : [[name, origin]],
      ),
    )
    return { baseUrls, allowedOrigins: [...this.services.values()].map(({ origin }) => origin) }
  }

  /** An app over a home of this world, with a key for Tavily. */
  app(home = 'home', options: Parameters<typeof createApp>[0] = {}): App {
    const app = createApp({
      home: join(this.folder, home),
      models: { default: 'openai-compatible:scripted' },
      environment: {
        OPENAI_BASE_URL: this.modelUrl,
        TAVILY_API_KEY: 'tvly-secret-of-the-operator',
      },
      webServers: this.servers,
      clock: createQuickClock(),
      ...options,
    })
    this.opened.push(app)
    return app
  }

  /** An app over the same home that knows no model, no key and no server. */
  offline(home: string): App {
    const app = createApp({ home: join(this.folder, home), environment: {} })
    this.opened.push(app)
    return app
  }

  /** Makes the team say what a test wants. */
  say(team: TeamScript): void {
    this.script = scriptTeam(team)
  }

  private plain(name: ServiceName): Reply {
    if (name === 'pages')
      return {
        body: pageOf(
          'Glimmerstone',
          `${sentence}. It was found by Ada Quill in 1907 near the town of Harrowmere.`,
          'Lighthouses use it in their lamps, because it shines without heat and lasts for many years.',
        ),
      }
    if (name === 'tavily' || name === 'searxng')
      return { body: hits(['All about glimmerstone', this.pageUrl, 'It melts at some point.']) }
    return { status: 404, body: { error: 'nothing' } }
  }
}

/** A tool's name and what it is called with. */
export type Call = readonly [name: string, input: object]

/** A researcher that makes these calls one after the other and then quotes the first passage that it was last shown. */
export function calling(
  ...calls: readonly Call[]
): (seen: ModelRequestSeen, call: number) => ScriptedReply {
  return (seen) => {
    const done = toolResults(seen).length
    const next = calls[done]
    if (next !== undefined) return { toolCalls: [{ name: next[0], input: next[1] as never }] }
    const passages = toolResults(seen).flatMap(({ passages = [] }) => passages)
    const holding = passages.find(({ text }) => text.includes(sentence)) ?? passages[0]
    return {
      json: {
        result: holding === undefined ? 'The sources do not say.' : `${sentence} [${holding.n}].`,
      },
    }
  }
}

/** A tool's result as the model sees it; of searches of the web, the fields of their JSON too. */
export interface ToolResultSeen extends Partial<ShownResult> {
  readonly results?: readonly { readonly result: number; readonly title: string }[]
  readonly unavailable?: readonly string[]
}

/** What tools gave back in a request's conversation, in order. */
export function toolResults({ body }: ModelRequestSeen): readonly ToolResultSeen[] {
  const messages = body.messages as readonly { readonly role: string; readonly content: string }[]
  return messages.flatMap(({ role, content }) => (role === 'tool' ? [readResult(content)] : []))
}

function readResult(content: string): ToolResultSeen {
  return content.startsWith('{') ? JSON.parse(content) : readShown(content)
}

/** The results of the tools that a run's researcher called, in the order of their calls. */
export function resultsOfResearcher(
  requests: readonly ModelRequestSeen[],
): readonly ToolResultSeen[] {
  const last = requests.filter(({ system }) => system.startsWith('You look things up')).at(-1)
  return last === undefined ? [] : toolResults(last)
}

/** The events of a run. */
export async function eventsOf(app: App, { runId }: Answer): Promise<readonly RunEvent[]> {
  return Array.fromAsync(app.events(runId))
}
