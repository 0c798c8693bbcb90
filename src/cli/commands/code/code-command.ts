import type { CommandSpec } from '../../arguments/command-spec.ts'
import { mcpOptions, noWebOption, skillsOption, webOption } from '../../arguments/shared-options.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'

/** A session has one model; roles belong to the question team. */
const modelHelp =
  'Language model, such as ollama:qwen3 or openai:gpt-5.4-mini; "scholium models" lists providers. A resumed session switches to it. In a new session, ROLE=NAME sets the model of a role of the ask workflow, which the research tool uses. Required here or in the configuration.'

const modelledOptions = drivingOptions.map((option) =>
  option.name === 'model' ? { ...option, help: modelHelp } : option,
)

/** Help and options of `scholium code`. */
export const code: CommandSpec = {
  name: 'code',
  parameters: '',
  words: [0, 0],
  summary:
    'Work on the code in this folder: read, edit and run, in a session that survives crashes.',
  details: [
    'With -p it carries out one task and exits; piped input is appended to the task. It then never asks: files are changed and commands run only as --allow or --yolo permit, and anything refused is listed at the end.',
    'Sessions are runs: "scholium runs list" shows them, --resume continues one, and "scholium fork" and "scholium replay" accept them.',
    'Exit code: 0 answered, 1 failed, 2 usage error, 3 incomplete answer or something was refused, 130 interrupted.',
  ],
  options: [
    { name: 'prompt', short: 'p', value: 'TASK', help: 'Carry out this task and exit.' },
    {
      name: 'resume',
      value: 'RUN',
      help: 'Resume this session ("last" for the newest in the folder).',
    },
    {
      name: 'workspace',
      value: 'DIR',
      help: 'Folder to work in. Default: this folder. A resumed session uses its own.',
    },
    {
      name: 'yolo',
      help: 'Act without asking. Has no effect once the session has read untrusted text.',
    },
    {
      name: 'allow',
      value: 'RULE',
      isRepeatable: true,
      help: 'Allow this without asking: edit, edit:src/, "bash:npm test *", or the name of a tool.',
    },
    {
      name: 'deny',
      value: 'RULE',
      isRepeatable: true,
      help: 'Never allow this, whatever else is allowed.',
    },
    {
      name: 'iterations',
      value: 'N',
      help: 'Maximum number of model calls per request. Default: 20.',
    },
    {
      name: 'verbosity',
      value: 'HOW',
      help: 'How much to report when a request reaches its limit: minimal, normal or detailed. Default: normal.',
    },
    {
      name: 'trust',
      help: "Trust this folder's instructions to models (AGENTS.md, skills, .scholium/prompts) as your own, for this session. Default: your earlier answer for this folder; if you were never asked, they count as untrusted text.",
    },
    { name: 'thoughts', help: "Show the model's reasoning." },
    webOption,
    noWebOption,
    skillsOption,
    ...mcpOptions,
    ...modelledOptions,
  ],
  examples: [
    ['scholium code -p "why does the build fail?"', 'read-only'],
    ['scholium code -p "fix the failing test" --allow edit --allow "bash:npm test *"', ''],
    ['git diff | scholium code -p "review this change"', ''],
    ['scholium code --resume last -p "now the docs"', 'another task in the same session'],
  ],
  load: async () => (await import('./code.ts')).runCode,
}
