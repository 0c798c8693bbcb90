import { ScholiumError } from '../../../kernel/errors.ts'
import type { GivenOptions } from '../../arguments/option.ts'

/** The step that `--at` names, if given. @throws `invalid_input` for a bare number, which is ambiguous */
export function stepNamed(options: GivenOptions): string | undefined {
  const at = options.filled('at')
  if (at === undefined || !/^\s*[+-]?\d+\s*$/.test(at)) return at
  const number = Number(at)
  throw new ScholiumError('invalid_input', `Invalid value for --at: "${at}".`, {
    hint: `Give a node, such as --at 'expert[1]', or the number of an event in its log after a #: --at '#${Math.max(1, number)}'`,
  })
}
