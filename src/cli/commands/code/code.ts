import type { CodeRequest } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import { type OpenApp, withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import type { GivenOptions } from '../../arguments/option.ts'
import { readBounded } from '../../arguments/read-question.ts'
import { oneLine } from '../../render/text.ts'
import type { Terminal } from '../../terminal.ts'
import { builtInEngine, noModel } from '../set-up/no-model.ts'
import { driveHeadless } from './code-headless.ts'

/** `scholium code`. */
export const runCode: RunCommand = async (invocation) => {
  const { options, terminal } = invocation
  const task = options.filled('prompt')
  if (task === undefined && terminal.host.stdin.isTTY === true)
    return (await import('../../terminal/open-terminal.ts')).runTerminalSession(
      invocation,
      toRequest(options),
    )
  const piped = await readPiped(terminal)
  const prompt = [task, piped].filter((part) => part !== undefined && part !== '').join('\n\n')
  if (prompt === '') {
    throw new ScholiumError('invalid_input', 'No task was given.', {
      hint: 'Give one: scholium code -p "fix the failing test"',
    })
  }
  const { toAppOptions, readAskDefaults, parseSlash } = await import('../../../app.ts')
  const isCommand =
    /^\s*!/.test(prompt) || (parseSlash(prompt) ?? { kind: 'prompt' }).kind !== 'prompt'
  if (isCommand) throw noCommand(prompt)
  const isNew = !options.has('resume')
  return withApp(
    invocation,
    async (app, configuration) => {
      if (isNew) requireModel(toAppOptions(configuration, 'new').models?.default)
      const { web = false, mcp } = readAskDefaults(configuration)
      const given = { ...toRequest(options), web, ...(mcp === undefined ? {} : { mcp }) }
      return driveHeadless(invocation, app, await foundBy(invocation, app, given), prompt)
    },
    isNew ? 'new' : 'recorded',
  )
}

/** Adds the id of the session to continue to a request; tells if the session works in another folder. */
async function foundBy(
  { terminal, options }: Invocation,
  app: OpenApp,
  request: CodeRequest,
): Promise<CodeRequest> {
  if (request.resume === undefined) return request
  const found = await (await app.sessions()).find(request.resume, request.workspace)
  if (found.workspace !== terminal.host.cwd() && !options.has('quiet'))
    terminal.tell(`Session ${found.runId} works in ${oneLine(found.workspace)}`)
  return { ...request, resume: found.runId }
}

/** Slash commands are for the person at the terminal; a model would take one for a request. */
function noCommand(prompt: string): ScholiumError {
  const [line = ''] = prompt.trim().split('\n')
  return new ScholiumError('invalid_input', `"${oneLine(line)}" is a command, not a task.`, {
    hint: 'Commands with / and ! work only in sessions at the terminal and in editors: scholium code. If your task begins with one of these characters, put a word before it.',
  })
}

/** @throws `invalid_configuration` where no language model is set up */
function requireModel(choice: string | { readonly name?: string } | undefined): void {
  const name = typeof choice === 'string' ? choice : choice?.name
  if (name !== undefined && name !== builtInEngine) return
  throw new ScholiumError('invalid_configuration', noModel.why, { hint: noModel.hint })
}

/** The session's options. @throws `invalid_input` for invalid ones */
function toRequest(options: GivenOptions): CodeRequest {
  const resume = options.filled('resume')
  const workspace = options.filled('workspace')
  const skills = options.texts('skills')
  // A resumed session has its own model; changing it is a setting, which is recorded.
  const model = resume === undefined ? undefined : readModel(options)
  return {
    settings: { ...readSettings(options), ...(model === undefined ? {} : { model }) },
    ...(resume === undefined ? {} : { resume }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(skills.length === 0 ? {} : { skills }),
    ...(options.has('trust') ? { isTrusted: true } : {}),
  }
}

/** @throws `invalid_input` for a role: a session has one model */
function readModel(options: GivenOptions): string | undefined {
  const model = options.filled('model')?.replace(/^default=/, '')
  if (model === undefined || !model.includes('=')) return model
  throw new ScholiumError('invalid_input', `A session has one model, not "${model}".`, {
    hint: 'Give its name alone, such as --model ollama:qwen3.',
  })
}

function readSettings(options: GivenOptions): NonNullable<CodeRequest['settings']> {
  const maxSteps = options.whole('iterations', 1)
  const verbosity = options.choice('verbosity', ['minimal', 'normal', 'detailed'])
  const allow = options.texts('allow')
  const deny = options.texts('deny')
  return {
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(verbosity === undefined ? {} : { verbosity }),
    ...(options.has('yolo') ? { isYolo: true } : {}),
    ...(options.has('thoughts') ? { showThoughts: true } : {}),
    ...(allow.length === 0 ? {} : { allow }),
    ...(deny.length === 0 ? {} : { deny }),
  }
}

/** Piped input; empty at a terminal. @throws `invalid_input` if there is too much */
async function readPiped({ host }: Terminal): Promise<string> {
  const { stdin } = host
  if (stdin.isTTY === true) return ''
  const bytes = await readBounded(stdin, 'The piped input')
  return new TextDecoder().decode(bytes).trim()
}
