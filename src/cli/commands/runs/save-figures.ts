import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { OpenApp } from '../../arguments/app-settings.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { printResult } from '../../render/print.ts'
import { oneLine, shortPath } from '../../render/text.ts'
import { writeNewFile } from '../../render/write-new-file.ts'

/**
 * Writes the figures of a run's answer as `figure-1.svg` and so on into a folder, which is created if missing.
 * @throws `invalid_input` for a run without figures, an unusable folder, or an existing file
 */
export async function saveFigures(
  invocation: Invocation,
  app: OpenApp,
  runId: string,
  folder: string,
): Promise<number> {
  const home = invocation.terminal.host.cwd()
  const answer = await app.recordedAnswer(runId)
  const figures = (answer !== undefined && 'figures' in answer ? answer.figures : undefined) ?? []
  if (figures.length === 0) {
    throw new ScholiumError('invalid_input', `The answer of run ${runId} has no figures.`, {
      hint: 'Figures are drawn by the expert with Python. An answer lists its figures, if it has any.',
    })
  }
  const files = figures.map(({ figure, svg }) => ({
    path: join(resolve(home, folder), `figure-${figure}.svg`),
    svg,
  }))
  for (const { path } of files) await requireFree(path)
  await makeFolder(resolve(home, folder))
  for (const { path, svg } of files) await writeNewFile(path, piecesOf(svg))
  const written = files.map(({ path }) => path)
  printResult(invocation, { runId, written }, () =>
    written.map((path) => `Written: ${oneLine(shortPath(path, home))}`).join('\n'),
  )
  return 0
}

async function* piecesOf(text: string): AsyncIterable<string> {
  yield text
}

/** All are checked first, so that nothing is written if one exists. */
async function requireFree(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return
  throw new ScholiumError('invalid_input', `${path} already exists; nothing was written.`, {
    hint: 'Choose another folder, or remove that file first.',
  })
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const text = `${path} cannot be created: ${(cause as Error).message}`
    throw new ScholiumError('invalid_input', text, {
      hint: 'Choose an existing folder that you can write to.',
      cause,
    })
  }
}
