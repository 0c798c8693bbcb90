import { dirname, extname, resolve } from 'node:path'
import type { PapersAnswer } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { OpenApp } from '../../arguments/app-settings.ts'
import type { GivenOptions } from '../../arguments/option.ts'
import { shortPath } from '../../render/text.ts'
import { requireNewFile, writeNewFile } from '../../render/write-new-file.ts'
import type { Terminal } from '../../terminal.ts'

/** A file to write from a synthesis, and how. */
export interface PaperFile {
  readonly path: string
  readonly form: 'markdown' | 'html' | 'matrix' | 'bibtex' | 'ris' | 'csl'
}

const reportForms = { '.md': 'markdown', '.markdown': 'markdown', '.html': 'html', '.htm': 'html' }
const matrixForms = { '.csv': 'matrix' }
const referenceForms = { '.bib': 'bibtex', '.ris': 'ris', '.json': 'csl' }

/**
 * The files that options ask for. They are checked before the work starts: hours of it should not fail on a file that
 * cannot be written.
 * @throws `invalid_input` for an unknown extension, an existing file, or a missing folder
 */
export function readPaperFiles(options: GivenOptions, folder: string): readonly PaperFile[] {
  const named = [
    ...options.texts('report').map((path) => ['report', path, reportForms] as const),
    ...options.texts('matrix').map((path) => ['matrix', path, matrixForms] as const),
    ...options.texts('references').map((path) => ['references', path, referenceForms] as const),
  ]
  const files = named.map(([option, given, forms]): PaperFile => {
    const form = (forms as Readonly<Record<string, PaperFile['form']>>)[
      extname(given).toLowerCase()
    ]
    if (form !== undefined) return { path: resolve(folder, given), form }
    throw new ScholiumError('invalid_input', `Invalid value for --${option}: "${given}".`, {
      hint: `The file name must end in one of: ${Object.keys(forms).join(', ')}.`,
    })
  })
  for (const { path } of files) requireNewFile(path)
  const twice = files.find(({ path }, at) => files.findIndex((one) => one.path === path) !== at)
  if (twice === undefined) return files
  throw new ScholiumError('invalid_input', `${twice.path} is given twice.`, {
    hint: 'Use a different file for each.',
  })
}

/** Writes the files, and reports each on stderr. @throws `invalid_input` for a file that cannot be written */
export async function writePaperFiles(
  files: readonly PaperFile[],
  app: OpenApp,
  answer: PapersAnswer,
  terminal: Terminal,
): Promise<void> {
  for (const { path, form } of files) {
    const text = await formatText(app, answer, { path, form })
    await writeNewFile(path, [text.endsWith('\n') ? text : `${text}\n`])
    terminal.tell(`Written: ${shortPath(path, terminal.host.cwd())}`)
  }
}

async function formatText(
  app: OpenApp,
  answer: PapersAnswer,
  { path, form }: PaperFile,
): Promise<string> {
  if (form === 'markdown' || form === 'html' || form === 'matrix') {
    const { renderPapersAs } = await import('../../../app.ts')
    return renderPapersAs(answer, form, dirname(path))
  }
  return (await app.references(answer.runId, { format: form })).text
}
