import type { CommandSpec } from '../../arguments/command-spec.ts'
import { mcpOptions, noWebOption, skillsOption, webOption } from '../../arguments/shared-options.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'

/** A session has one model; roles are those of the question team. */
const modelHelp =
  'The language model, such as ollama:qwen3 or openai:gpt-5.4-mini; "scholium models" lists providers. A resumed session has this one from now on. For one that begins, ROLE=NAME sets a role of the question team, which its tool research asks. Default: what the configuration says; without a language model nothing is done.'

const modelledOptions = drivingOptions.map((option) =>
  option.name === 'model' ? { ...option, help: modelHelp } : option,
)

/** `scholium code` for the help and the reading of its arguments. */
export const code: CommandSpec = {
  name: 'code',
  parameters: '',
  words: [0, 0],
  summary:
    'Work on the code of this folder: read, change, run, in a session that survives anything.',
  details: [
    'With -p it works on one task and ends; what is piped in is put behind the task. Nobody is asked then: files are changed and commands run only as --allow or --yolo say, and what was refused is listed at the end.',
    'Sessions are runs: "scholium runs list" shows them, --resume goes on with one, "scholium fork" and "scholium replay" take them too.',
    'Exit code: 0 answered, 1 failed, 2 wrong usage, 3 without a whole answer or with something refused, 130 interrupted.',
  ],
  options: [
    { name: 'prompt', short: 'p', value: 'TASK', help: 'Work on this task, and end.' },
    {
      name: 'resume',
      value: 'RUN',
      help: 'Go on with this session ("last" for the newest one of the folder).',
    },
    {
      name: 'workspace',
      value: 'DIR',
      help: 'The folder to work in. Default: this one. A resumed session works in its own.',
    },
    {
      name: 'yolo',
      help: 'Do without asking what would be asked about. Not in a session that has read text from elsewhere.',
    },
    {
      name: 'allow',
      value: 'RULE',
      isRepeatable: true,
      help: 'Let this be done without asking: edit, edit:src/, "bash:npm test *", or the name of a tool.',
    },
    {
      name: 'deny',
      value: 'RULE',
      isRepeatable: true,
      help: 'Never let this be done, whatever else is allowed.',
    },
    {
      name: 'iterations',
      value: 'N',
      help: 'Model calls for one request at most. Default: 20.',
    },
    {
      name: 'verbosity',
      value: 'HOW',
      help: 'What is told of a request that reached its limit: minimal, normal or detailed. Default: normal.',
    },
    {
      name: 'trust',
      help: 'Take what this folder tells models (AGENTS.md, skills, .scholium/prompts) for your own instructions, in this session. Default: as you said when you were asked; without a person it is text from elsewhere.',
    },
    { name: 'thoughts', help: "Show the model's thoughts." },
    webOption,
    noWebOption,
    skillsOption,
    ...mcpOptions,
    ...modelledOptions,
  ],
  examples: [
    ['scholium code -p "why does the build fail?"', 'only looks'],
    ['scholium code -p "fix the failing test" --allow edit --allow "bash:npm test *"', ''],
    ['git diff | scholium code -p "review this change"', ''],
    ['scholium code --resume last -p "now the docs"', 'another task in the same session'],
  ],
  load: async () => (await import('./code.ts')).runCode,
}
