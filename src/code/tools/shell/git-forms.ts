import { gitPrints } from './git-words.ts'
import type { ReadingForm } from './shell-command.ts'

/** What a command of Git may have to only read. */
interface GitForm {
  readonly options: RegExp
  /** Whether it may have other words beside these options. */
  mayHave?(options: readonly string[]): boolean
  /** An option whose value is the next word, and what that may be. */
  readonly value?: readonly [option: string, value: RegExp]
}

/** Orders that are known to ask no program, as that by signatures does. */
const order = '--sort=-?(?:refname|authordate|committerdate|creatordate|v(?:ersion)?:refname)'

const isListing = (options: readonly string[]) =>
  options.some((word) => /^(?:-l|--list|--(?:no-)?(?:merged|contains))$/.test(word))

const forms: Readonly<Record<string, GitForm>> = {
  status: {
    options:
      /^(?:-[bsz]+|-u(?:no|normal|all)?|--(?:ahead-behind|branch|find-renames(?:=\d+%?)?|ignored(?:=\w+)?|long|no-ahead-behind|no-renames|porcelain(?:=v[12])?|renames|short|show-stash|untracked-files(?:=(?:no|normal|all))?))$/,
  },
  'ls-files': {
    options:
      /^(?:-[cdikmostuvz]+|--(?:abbrev(?:=\d+)?|cached|deduplicate|deleted|directory|eol|error-unmatch|exclude-standard|exclude=.*|full-name|ignored|killed|modified|no-empty-directory|others|stage|unmerged))$/s,
  },
  'rev-parse': {
    options:
      /^(?:-q|--(?:abbrev-ref(?:=\w+)?|absolute-git-dir|all|branches|git-common-dir|git-dir|is-bare-repository|is-inside-git-dir|is-inside-work-tree|is-shallow-repository|quiet|remotes|short(?:=\d+)?|show-cdup|show-prefix|show-toplevel|symbolic|symbolic-full-name|tags|verify))$/,
  },
  blame: {
    options:
      /^(?:-[efflnpstw]+|-M\d*|-L\d*(?:,[+-]?\d+)?|--(?:abbrev=\d+|date=[\w-]+|line-porcelain|porcelain|root|show-email|show-name|show-number|show-stats))$/,
    value: ['-L', /^\d*(?:,[+-]?\d+)?$/],
  },
  branch: {
    options: new RegExp(
      `^(?:-[arv]+|--(?:abbrev=\\d+|all|ignore-case|list|no-abbrev|no-color|no-column|remotes|show-current|verbose|(?:no-)?(?:merged|contains))|${order})$`,
    ),
    mayHave: isListing,
  },
  tag: { options: new RegExp(`^(?:-l|--list|--no-column|${order})$`), mayHave: isListing },
  remote: { options: /^$/, mayHave: () => false },
}

/** How a command of Git that only reads is understood, by what stands behind `git`; `undefined` for every other. */
export function gitForm(words: readonly string[]): ReadingForm | undefined {
  const [command = '', ...others] = words
  const form = { names: others, operands: others }
  if (/^(?:diff|log|show)$/.test(command)) return gitPrints(words) === undefined ? undefined : form
  if (command === 'stash') return others.length === 1 && others[0] === 'list' ? form : undefined
  const known = Object.hasOwn(forms, command) ? forms[command] : undefined
  return known !== undefined && isKnown(known, others) ? form : undefined
}

function isKnown({ options, mayHave = () => true, value }: GitForm, words: readonly string[]) {
  const end = words.indexOf('--')
  const before = end === -1 ? words : words.slice(0, end)
  const isValue = (at: number) =>
    value !== undefined && before[at - 1] === value[0] && value[1].test(before[at] ?? '')
  const written = before.filter((word) => word.startsWith('-'))
  const hasOthers =
    before.some((word, at) => !word.startsWith('-') && !isValue(at)) || words.length > before.length
  return (
    written.every((word) => options.test(word)) &&
    before.every((word, at) => word !== value?.[0] || isValue(at + 1)) &&
    (!hasOthers || mayHave(written))
  )
}
