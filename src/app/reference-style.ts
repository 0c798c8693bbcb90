import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ScholiumError } from '../kernel/errors.ts'

/**
 * The text of a CSL file, or the name of a style as it stands: only what ends in `.csl` or has a slash is a file.
 * @throws `invalid_input` for a file that cannot be read or is no XML
 */
export function styleText(style: string, folder: string): string {
  if (!/\.csl$|[/\\]/i.test(style)) {
    // Text that begins so would be taken for a style itself.
    return style.trimStart().startsWith('<') ? `"${style}"` : style
  }
  const text = fileText(resolve(folder, style))
  if (/^\ufeff?\s*</.test(text)) return text
  throw unusable(`${style} is no CSL style: it is no XML.`)
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw unusable(`The style ${path} cannot be read.`, cause)
  }
}

function unusable(message: string, cause?: unknown): ScholiumError {
  return new ScholiumError('invalid_input', message, {
    hint: 'Name a CSL file, or one of apa, chicago, ieee, apa-arxiv.',
    ...(cause === undefined ? {} : { cause }),
  })
}
