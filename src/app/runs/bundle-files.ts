import { existsSync, statSync } from 'node:fs'
import { readWhole } from '../../files/opened.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { describeWriteFailure } from '../../kernel/text/file-failure.ts'

/**
 * A run's bundle is made again at will, a signed one with a signature; any other file is left alone.
 * @throws `invalid_input`
 */
export async function checkTarget(path: string, runId: string, isSigned: boolean): Promise<void> {
  if (!existsSync(path)) return
  if (statSync(path).isDirectory()) {
    throw new ScholiumError('invalid_input', `${path} is a folder.`, {
      hint: `Give a file in it, such as ${runId}.scholium.`,
    })
  }
  const found = statSync(path).isFile() ? await bundleAt(path) : undefined
  if (found?.runId !== runId) {
    const what = found === undefined ? 'and is not a bundle' : 'with another run'
    throw new ScholiumError('invalid_input', `${path} already exists ${what}.`, {
      hint: 'Choose another file, or remove this one. Only a bundle of the same run is overwritten.',
    })
  }
  if (!found.isSigned || isSigned) return
  throw new ScholiumError('invalid_input', `${path} is signed; its signature would be lost.`, {
    hint: 'Sign it again with --sign KEY.pem, or choose another file.',
  })
}

async function bundleAt(
  path: string,
): Promise<{ readonly runId: string; readonly isSigned: boolean } | undefined> {
  const [{ withFile }, { bundledRun }, { readZip }, { memberNames }] = await Promise.all([
    import('../../observe/bundle/byte-source.ts'),
    import('../../observe/bundle/contents.ts'),
    import('../../observe/bundle/zip-reader.ts'),
    import('../../observe/bundle/form.ts'),
  ])
  return withFile(path, async (source) => {
    const runId = bundledRun(source)
    if (runId === undefined) return undefined
    return { runId, isSigned: readZip(source).some(({ name }) => name === memberNames.signature) }
  })
}

/** Whether the file system refused something. */
export function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && !(error instanceof ScholiumError)
}

/** The error for a bundle that cannot be written. */
export function notWritable(path: string, cause: NodeJS.ErrnoException): ScholiumError {
  const reason = describeWriteFailure(cause)
  return new ScholiumError('invalid_input', `${path} cannot be written: ${reason}.`, {
    hint: 'Choose a file in an existing, writable folder on a disk with free space.',
    cause,
  })
}

/** Maximum size of a key file, in bytes. */
const maxKeyBytes = 100_000

/** Reads a key file. @throws `invalid_input` with `text` and `hint` for one that cannot be read */
export async function readKeyFile(path: string, text: string, hint: string): Promise<string> {
  try {
    return (await readWhole(path, maxKeyBytes)).toString('utf8')
  } catch (cause) {
    throw new ScholiumError('invalid_input', text, { hint, cause })
  }
}
