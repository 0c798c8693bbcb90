import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { CodeRequest, Configuration, PromptLine } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { type OpenApp, readLimits, withApp } from '../arguments/app-settings.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { openWatch, type Watch } from '../commands/runs/trace-watch.ts'
import { builtInEngine } from '../commands/set-up/no-model.ts'
import { asObject } from '../render/as-object.ts'
import { type Terminal, unknownColumns } from '../terminal.ts'
import type { Choice } from './editor-state.ts'
import { InputHistory } from './input-history.ts'
import { RawTerminal } from './raw-terminal.ts'
import { usageFacts } from './session-frame.ts'
import type { SessionSite } from './session-port.ts'
import { SessionScreen } from './session-screen.ts'
import { SessionWork } from './session-work.ts'
import { farewell, startBlocks } from './start-screen.ts'
import { submitter } from './submit.ts'
import { TerminalSession } from './terminal-session.ts'
import { modelOf } from './usage-meter.ts'
import { WorkspacePaths } from './workspace-paths.ts'

/** The assumed height of a terminal that does not report it. */
const unknownRows = 24

/**
 * Runs a session of the coding agent at a terminal; returns the exit code. The prompt appears before the app is loaded.
 * @throws `invalid_input` without a suitable terminal, or if the app cannot be created
 */
export async function runTerminalSession(
  invocation: Invocation,
  request: CodeRequest,
): Promise<number> {
  requireTerminal(invocation)
  // A session mostly waits. Without this flag, V8 permanently grows the space for short-lived objects up to 64 MB.
  setFlagsFromString('--semi-space-growth-factor=1')
  const left = Promise.withResolvers<number>()
  const { session, raw } = openScreen(invocation, left.resolve)
  try {
    const own = withTell(invocation, (text) => {
      session.add([{ kind: 'notice', level: 'warning', text }])
    })
    const models = request.resume === undefined || invocation.options.has('model')
    return await withApp(
      own,
      async (app, configuration) => {
        const watch = await openWatch(own)
        const work = await connect({ invocation: own, app, configuration, session, request, watch })
        const exitCode = await left.promise
        session.close()
        raw.close()
        await work.close()
        watch.close()
        return exitCode
      },
      models ? 'new' : 'recorded',
    )
  } finally {
    session.close()
    raw.close()
    tellFarewell(invocation, session.runId)
  }
}

function tellFarewell(invocation: Invocation, runId: string | undefined): void {
  const told = farewell(runId, invocation)
  if (told !== '') invocation.terminal.stdout.write(`${told}\n`)
}

/** @throws `invalid_input` */
function requireTerminal({ terminal, format }: Invocation): void {
  const { stdin, stdout, env } = terminal.host
  const why =
    format !== 'text'
      ? 'An interactive session cannot print JSON.'
      : stdin.isTTY !== true || stdout.isTTY !== true
        ? 'There is no terminal for an interactive session.'
        : env.TERM === 'dumb'
          ? 'This terminal (TERM=dumb) does not support interactive sessions.'
          : undefined
  if (why === undefined) return
  throw new ScholiumError('invalid_input', why, {
    hint: 'Give the task on the command line: scholium code -p "fix the failing test"',
  })
}

function openScreen(
  invocation: Invocation,
  onLeft: (exitCode: number) => void,
): { readonly session: TerminalSession; readonly raw: RawTerminal } {
  const { terminal } = invocation
  const { host, stdout } = terminal
  const screen = {
    get columns() {
      return stdout.columns ?? unknownColumns
    },
    get rows() {
      return host.stdout.rows > 0 ? host.stdout.rows : unknownRows
    },
    write: (text: string) => stdout.write(text),
  }
  const raw = new RawTerminal(host, {
    onKeys: (keys) => session.press(keys),
    onResize: () => session.screen.resize(),
    onContinue: () => session.screen.draw(),
    onEnd: onLeft,
    onCrash: () => {
      session.close()
      tellFarewell(invocation, session.runId)
    },
  })
  const session: TerminalSession = new TerminalSession(
    {
      paint: stdout.paint,
      now: () => performance.now(),
      suspend: () => {
        session.screen.clear()
        raw.suspend()
      },
      leave: () => onLeft(0),
    },
    (frameOf) => new SessionScreen(screen, host.env, stdout.paint, frameOf),
  )
  terminal.whenStdoutCloses(() => onLeft(129))
  raw.open()
  session.screen.draw()
  return { session, raw }
}

/** Adds messages from elsewhere to the session's screen: written directly, they would appear in the input line. */
function withTell(invocation: Invocation, tell: (text: string) => void): Invocation {
  const terminal = Object.create(invocation.terminal, { tell: { value: tell } }) as Terminal
  return { ...invocation, terminal }
}

interface Connecting {
  readonly invocation: Invocation
  readonly app: OpenApp
  readonly configuration: Configuration
  readonly session: TerminalSession
  readonly request: CodeRequest
  readonly watch: Watch
}

/** Connects the terminal to the app. */
async function connect(connecting: Connecting): Promise<SessionWork> {
  const { app, configuration, session } = connecting
  const {
    readAskDefaults,
    toAppOptions,
    requireRules,
    slashCommands,
    parseSlash,
    renderSlashHelp,
  } = await import('../../app.ts')
  requireRules(connecting.request.settings ?? {})
  const { web = false, mcp } = readAskDefaults(configuration)
  const found = await foundBy(app, connecting.request)
  const request = { ...connecting.request, ...(found && { resume: found.runId }) }
  const folder = found?.workspace ?? resolve(configuration.folder, request.workspace ?? '.')
  const given = { ...request, web, ...(mcp === undefined ? {} : { mcp }) }
  const work = new SessionWork(createSite(connecting), given, {
    onBlocks: (blocks) => session.add(blocks),
    onChange: () => session.change(),
    onExit: () => session.leave(),
    now: () => performance.now(),
  })
  const model = await startModel(app, request, toAppOptions(configuration, 'new').models?.default)
  session.add(startBlocks({ version: version(), folder, model }, session.screen.columns))
  const completions = await app.completions(given)
  const prompts = new PromptChoices(() => completions.prompts())
  const own = slashCommands.map(({ name, parameters, meaning }) => ({
    text: `/${name}`,
    note: `${parameters} ${meaning}`.trim(),
  }))
  const modelNow = () => work.settings.model ?? work.meter.model ?? model
  session.connect({
    work,
    history: new InputHistory(app.home.path, folder, {
      prepare: () => app.makeHome(),
      onProblem: (text) => session.add([{ kind: 'notice', level: 'warning', text }]),
    }),
    paths: new WorkspacePaths(
      folder,
      () => completions.paths(),
      () => performance.now(),
    ),
    commands: () => [...own, ...prompts.list],
    facts: () => [
      modelNow() === builtInEngine ? 'no model' : modelNow(),
      ...(work.settings.isYolo === true ? ['yolo'] : []),
      ...usageFacts(work.view, work.meter.usage.costUsd),
      ...(work.view.turn === undefined ? ['/help'] : []),
    ],
    submit: submitter({
      work,
      session,
      parseSlash,
      slashHelp: renderSlashHelp,
      hasModel: () => modelNow() !== builtInEngine,
    }),
  })
  if (request.resume !== undefined) await work.begin()
  return work
}

/** The session to resume, and its folder. */
async function foundBy(app: OpenApp, { resume, workspace }: CodeRequest) {
  return resume === undefined ? undefined : (await app.sessions()).find(resume, workspace)
}

/** A resumed session keeps its model. */
async function startModel(
  app: OpenApp,
  { resume, settings }: CodeRequest,
  chosen: string | { readonly name: string } | undefined,
): Promise<string> {
  const configured = typeof chosen === 'string' ? chosen : (chosen?.name ?? builtInEngine)
  if (resume === undefined) return settings?.model ?? configured
  const types = ['run.started', 'run.forked'] as const
  let model = configured
  for await (const event of app.events(resume, { types, withOutput: false }))
    model = modelOf(event) ?? model
  return model
}

function createSite({ invocation, app, watch }: Connecting): SessionSite {
  const limits = readLimits(invocation.options)
  return {
    open: (request, { onEvent, onLog, onPermission }) =>
      app.code(request, {
        limits,
        ...watch.labels,
        onEvent,
        onPermission,
        onLog: (event) => {
          watch.hear(event)
          onLog(event)
        },
      }),
    events: (runId) => app.events(runId, { withOutput: false }),
    find: async (run) => (await app.sessions()).find(run),
    lastRequest: (run) => lastRequest(app, run),
  }
}

async function lastRequest(app: OpenApp, run: string): Promise<string> {
  let last = ''
  for await (const { key, output } of app.events(run, { types: ['step.done'] })) {
    if (!/^code\/turn\[\d+\]\/prompt$/.test(key)) continue
    const { text, command } = asObject(output)
    last = typeof text === 'string' ? text : typeof command === 'string' ? `!${command}` : ''
  }
  return last
}

function version(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** The prompts of MCP servers, for completion. The servers are asked in the background on first use. */
class PromptChoices {
  private readonly load: () => Promise<readonly PromptLine[]>
  private choices: readonly Choice[] = []
  private isAsked = false

  constructor(load: () => Promise<readonly PromptLine[]>) {
    this.load = load
  }

  /** The prompts known so far. */
  get list(): readonly Choice[] {
    if (!this.isAsked) {
      this.isAsked = true
      void this.ask()
    }
    return this.choices
  }

  private async ask(): Promise<void> {
    try {
      const prompts = await this.load()
      this.choices = prompts.map(({ name, parameters, description }) => ({
        text: name,
        note: `${parameters.map((parameter) => `${parameter}=…`).join(' ')} ${description}`.trim(),
      }))
    } catch {
      // An unusable configuration is reported with the first request.
    }
  }
}
