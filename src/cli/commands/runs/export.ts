import { ScholiumError } from '../../../kernel/errors.ts'
import { wordToPaste } from '../../../kernel/text/shell-word.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { shortPath } from '../../render/text.ts'
import { missingLines } from './verify.ts'

/** `scholium export`. */
export const runExport: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { words, options, terminal } = invocation
    const [run = '', file] = words
    if (file === '-') {
      throw new ScholiumError('invalid_input', 'A bundle is written to a file, not to stdout.', {
        hint: `Give a file: scholium export ${run} ${run}.scholium`,
      })
    }
    const signWith = options.filled('sign')
    const exported = await app.exportRun(run, {
      ...(file === undefined ? {} : { file }),
      ...(signWith === undefined ? {} : { signWith }),
      withText: !options.has('without-text'),
    })
    const { path, root, events, sources, texts, missing, replacedPaths, publicKey } = exported
    printResult(invocation, { schema: 'scholium.export/1', ...exported }, () => {
      const place = shortPath(path, terminal.host.cwd())
      const word =
        wordToPaste(path, process.platform) === undefined
          ? undefined
          : wordToPaste(place, process.platform)
      const key = publicKey === undefined ? '' : ` --key ${publicKey}`
      const kept = texts === 'full' ? 'with full texts' : 'with the cited passages'
      const replaced =
        replacedPaths.length === 0
          ? []
          : [`Paths on this machine were replaced by ${replacedPaths.join(', ')}.`]
      return [
        `${place}: ${count(events, 'event')}, ${count(sources, 'source')} ${kept}`,
        `root ${root}`,
        ...(publicKey === undefined ? [] : [`signed with the key ${publicKey}`]),
        ...missingLines(missing),
        ...replaced,
        ...(word === undefined
          ? []
          : [
              terminal.asTyped(
                `To verify it anywhere: scholium verify ${word} --expect ${root}${key}`,
              ),
            ]),
      ].join('\n')
    })
    return 0
  })
