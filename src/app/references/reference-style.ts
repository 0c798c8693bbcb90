import { resolve } from 'node:path'
import { readWhole } from '../../files/opened.ts'
import { ScholiumError } from '../../kernel/errors.ts'

/**
 * The text of a CSL file, or the name of a style as it stands: only what ends in `.csl` or has a slash is a file.
 * @throws `invalid_input` for a file that cannot be read or is no XML
 */
export async function styleText(style: string, folder: string): Promise<string> {
  if (!/\.csl$|[/\\]/i.test(style)) {
    // Text that begins so would be taken for a style itself.
    return style.trimStart().startsWith('<') ? `"${style}"` : style
  }
  const text = await fileText(resolve(folder, style))
  if (/^\ufeff?\s*</.test(text)) return text
  throw unusable(`${style} is not a CSL style: it is not XML.`)
}

/** In bytes. */
const largestStyle = 10_000_000

async function fileText(path: string): Promise<string> {
  try {
    return (await readWhole(path, largestStyle)).toString('utf8')
  } catch (cause) {
    throw unusable(`The style ${path} cannot be read.`, cause)
  }
}

function unusable(message: string, cause?: unknown): ScholiumError {
  return new ScholiumError('invalid_input', message, {
    hint: 'Give a CSL file, or one of apa, chicago, ieee, apa-arxiv.',
    ...(cause === undefined ? {} : { cause }),
  })
}
