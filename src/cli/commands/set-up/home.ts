import type { HomeContents } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import { configurationRequest } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { oneLine, visibleOnOneLine } from '../../render/text.ts'
import { canBeAsked } from '../ask/approve-plan.ts'
import { askPerson } from '../ask/ask-person.ts'
import { localTime } from '../runs/runs.ts'

/** `scholium home trust`. */
export const runHomeTrust: RunCommand = async (invocation) => {
  const { words, options, terminal } = invocation
  const { loadConfiguration, lookIntoHome, registerHome } = await import('../../../app.ts')
  const configuration = await loadConfiguration(configurationRequest(invocation))
  const contents = await lookIntoHome(configuration, words[0] ?? options.filled('home'))
  const { path, isOwn, usedSoFar } = contents
  for (const line of contentLines(contents)) terminal.tell(line)
  const isTrusted = isOwn || options.has('yes') || (await isConfirmed(invocation))
  if (isTrusted && !isOwn) await registerHome(configuration, path)
  printResult(invocation, { schema: 'scholium.home/1', ...contents, isTrusted }, () => {
    if (isOwn) return `${oneLine(path)} is already trusted.`
    if (!isTrusted) return 'Nothing was changed.'
    const others =
      usedSoFar === undefined ? '' : ` Earlier runs in this folder are in ${oneLine(usedSoFar)}.`
    return `${oneLine(path)} is now trusted.${others}`
  })
  return isTrusted ? 0 : 1
}

/** @throws `invalid_input` if nobody can be asked */
async function isConfirmed({ terminal }: Invocation): Promise<boolean> {
  if (!canBeAsked(terminal)) {
    throw new ScholiumError('invalid_input', 'There is no terminal to ask for confirmation.', {
      hint: 'Review the details above; if the home is yours, add --yes.',
    })
  }
  const said = await askPerson(terminal, new AbortController(), async (ask) =>
    ask('Did you record these runs yourself, so that they may be resumed? (y)es, (n)o: '),
  )
  return /^(?:y|yes)$/i.test(String(said ?? '').trim())
}

function contentLines({
  path,
  runs,
  newest,
  open,
  belongsToUser,
}: HomeContents): readonly string[] {
  const last = newest === undefined ? '' : `, the newest of ${localTime(newest.createdAt)}`
  const owner = belongsToUser ? '' : ' Its log belongs to another user of this machine.'
  const lines = open.map(({ run, begunWith }) => {
    const had = begunWith === '' ? '' : `; started with ${begunWith}`
    return `  ${visibleOnOneLine(`${run.runId} ${run.status}: ${run.title}${had}`)}`
  })
  return [
    `${visibleOnOneLine(path)} contains ${count(runs, 'run')}${last}.${owner}`,
    ...(lines.length === 0 ? [] : ['Runs that could be resumed:', ...lines]),
  ]
}
