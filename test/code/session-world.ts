import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, type AppOptions, type CodeEvent, createApp } from '../../src/app.ts'
import {
  type ModelRequestSeen,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../../src/testing/index.ts'

/** What a scripted model says: each reply in its turn, or by what it sees. */
export type Replies = readonly ScriptedReply[] | ((seen: ModelRequestSeen) => ScriptedReply)

/** Files of a folder, by path. */
export type Files = Readonly<Record<string, string>>

/** A folder with files, a home, and a model behind HTTP that says what a script says; thrown away afterwards. */
export class SessionWorld {
  readonly root = mkdtempSync(join(tmpdir(), 'scholium-code-'))
  readonly workspace = join(this.root, 'work')
  readonly events: CodeEvent[] = []
  private opened: ScriptedModel | undefined
  private readonly apps: App[] = []
  private replies: Replies = []
  private given = 0

  constructor(files: Files = {}) {
    mkdirSync(this.workspace)
    this.put(files)
  }

  get model(): ScriptedModel {
    return this.opened as ScriptedModel
  }

  put(files: Files): void {
    for (const [path, text] of Object.entries(files)) {
      const place = join(this.workspace, path)
      mkdirSync(join(place, '..'), { recursive: true })
      writeFileSync(place, text)
    }
  }

  /** The text of a file; `undefined` where there is none. */
  text(path: string): string | undefined {
    const place = join(this.workspace, path)
    return existsSync(place) ? readFileSync(place, 'utf8') : undefined
  }

  /** Has the model say other things from now on. */
  say(replies: Replies): void {
    this.replies = replies
    this.given = 0
  }

  async app(options: Partial<AppOptions> = {}): Promise<App> {
    this.opened ??= await startScriptedModel((seen) => {
      const { replies } = this
      if (typeof replies === 'function') return replies(seen)
      return replies[this.given++] ?? { text: 'nothing more' }
    })
    const app = createApp({
      home: join(this.root, 'home'),
      folder: this.workspace,
      models: { default: 'openai-compatible:scripted' },
      environment: {
        OPENAI_BASE_URL: this.model.url,
        PATH: process.env.PATH,
        XDG_CONFIG_HOME: join(this.root, 'config'),
      },
      ...options,
    })
    this.apps.push(app)
    return app
  }

  readonly hear = (event: CodeEvent): void => {
    this.events.push(event)
  }

  /** The events of a type, in order. */
  heard<Type extends CodeEvent['type']>(type: Type): Extract<CodeEvent, { type: Type }>[] {
    return this.events.filter((event) => event.type === type) as never
  }

  /** The messages of the n-th request, from 1; negative from the end. */
  sent(number: number): readonly { role: string; content: unknown; tool_calls?: unknown }[] {
    const request = this.model.requests.at(number < 0 ? number : number - 1)
    return (request?.body.messages ?? []) as never
  }

  async close(): Promise<void> {
    for (const app of this.apps) await app.close()
    await this.opened?.close()
    rmSync(this.root, { recursive: true, force: true })
  }
}

/** A model's wish to call one tool. */
export function call(name: string, input: object): ScriptedReply {
  return { toolCalls: [{ name, input: input as never }] }
}

/** A small project with a mistake, and a check that fails because of it and writes down each time that it ran. */
export const brokenProject: Files = {
  'add.mjs': 'export function add(a, b) {\n  return a - b\n}\n',
  'check.mjs': [
    "import { appendFileSync } from 'node:fs'",
    "import { add } from './add.mjs'",
    "appendFileSync('runs.txt', 'run ' + process.argv[2] + '\\n')",
    "if (add(2, 3) !== 5) { console.log('not ok: add(2, 3) is', add(2, 3)); process.exit(1) }",
    "console.log('ok')",
    '',
  ].join('\n'),
  'AGENTS.md': '# Rules\n\nRun `node check.mjs` after each change.\n',
}

/** What a request holds of the conversation. */
interface Wire {
  readonly role: string
  readonly content?: string
  readonly tool_calls?: readonly { readonly function: { readonly name: string } }[]
}

/**
 * A model that mends {@link brokenProject} by what it sees: look, run, change, run, done. Each of its commands has a number of its
 * own, so that one that is run twice can be counted.
 */
export function mending({ body }: ModelRequestSeen): ScriptedReply {
  const messages = (body.messages ?? []) as unknown as readonly Wire[]
  const calls = messages.flatMap(({ tool_calls = [] }) =>
    tool_calls.map((one) => one.function.name),
  )
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []))
  const run = () => {
    const number = calls.filter((name) => name === 'bash').length + 1
    return call('bash', { command: `node check.mjs ${number}` })
  }
  if (!calls.includes('read')) return call('read', { path: 'add.mjs' })
  if (!calls.includes('bash')) return run()
  if (!calls.includes('edit'))
    return call('edit', { path: 'add.mjs', old_text: 'a - b', new_text: 'a + b' })
  const isChecked =
    calls.at(-1) === 'bash' && /\bok\b/.test((results.at(-1) ?? '').replaceAll('not ok', ''))
  return isChecked ? { text: 'Mended add in add.mjs; the check passes.' } : run()
}
