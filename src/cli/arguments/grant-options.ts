import type { Right } from '../../app.ts'
import { wordToPaste } from '../../kernel/text/shell-word.ts'
import { withHome } from '../terminal.ts'
import type { GivenOptions, OptionSpec } from './option.ts'

/** Gives an agent file an environment variable whose value is not recorded. */
export const secretOption: OptionSpec = {
  name: 'secret',
  value: 'NAME',
  isRepeatable: true,
  help: 'Let the agent file use this environment variable. Its value is never recorded.',
}

/** Grant a resumed or forked run what it was started with: its record alone grants nothing. */
export const grantOptions: readonly OptionSpec[] = [
  { name: 'web', help: 'Allow web access again. Default: as configured, otherwise no.' },
  {
    name: 'allow-origin',
    value: 'ORIGIN',
    isRepeatable: true,
    help: 'Agent files: allow this origin in your own network again.',
  },
  {
    ...secretOption,
    help: 'Agent files: allow this environment variable again. Its value is never recorded.',
  },
  {
    name: 'allow',
    value: 'RULE',
    isRepeatable: true,
    help: 'Allow this rule again.',
  },
  {
    name: 'memory',
    value: 'NAME',
    help: 'Agent files: allow the shared memory of this name again.',
  },
  { name: 'yolo', help: 'Coding sessions: again act without asking.' },
  {
    name: 'trust',
    help: 'Coding sessions: again trust the instructions in the folder.',
  },
  {
    name: 'mcp',
    help: 'Allow its MCP servers again, from your own .mcp.json and from the one in this folder.',
  },
]

/** The kind of right that an option grants; a flag grants all of it. */
const kinds = {
  'allow-origin': 'origin',
  secret: 'secret',
  allow: 'allow',
  memory: 'memory',
} as const satisfies Readonly<Record<string, Right['kind']>>

/** The rights that a command line, and the configuration for the web, grant. */
export function readGrants(options: GivenOptions, web: boolean | undefined): readonly Right[] {
  const named = Object.entries(kinds).flatMap(([name, kind]) =>
    options.texts(name).map((value): Right => ({ kind, value })),
  )
  const flag = (kind: Right['kind'], isGiven: boolean): Right[] =>
    isGiven ? [{ kind, value: '' }] : []
  const flags = (['yolo', 'trust'] as const).flatMap((kind) => flag(kind, options.has(kind)))
  return [...named, ...flag('web', web === true), ...flags]
}

/** The command that resumes a run with everything that this command line granted it. */
export function resumeCommand(options: GivenOptions, runId: string): string {
  return withGrants(options, `scholium resume ${runId}`)
}

/** Adds the home and the grants of this command line to the commands in a text that resume a run. */
export function withGrants(options: GivenOptions, text: string): string {
  return withHome(withRights(options, text), options.text('home'))
}

function withRights(options: GivenOptions, text: string): string {
  const servers = ['mcp', 'mcp-server', 'mcp-arxiv'].some((name) => options.has(name))
  const flags = ['web', 'yolo', 'trust'].filter((name) => options.has(name))
  const given = [
    ...flags.map((name) => `--${name}`),
    ...grantOptions
      .filter(({ name }) => Object.hasOwn(kinds, name))
      .flatMap(({ name, value: placeholder }) =>
        options
          .texts(name)
          .map((text) => `--${name} ${wordToPaste(text, process.platform) ?? placeholder}`),
      ),
    ...(servers ? ['--mcp'] : []),
  ].join(' ')
  if (given === '') return text
  return text.replace(/\bscholium (?:code --)?resume [\w-]+/g, (command, at: number) =>
    text.startsWith(` ${given}`, at + command.length) ? command : `${command} ${given}`,
  )
}
