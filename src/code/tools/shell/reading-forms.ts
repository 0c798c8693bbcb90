import { readGitForm } from './git-commands.ts'
import type { ReadingForm } from './shell-command.ts'

/** A program's read-only options, spelled out. Any other option may write, run programs or read elsewhere. */
interface Form {
  /** Short options without a value. */
  readonly flags?: string
  /** Short options whose value names no file. */
  readonly values?: string
  /** Long options; `=` marks those with a value, `?` those with an optional one. */
  readonly long?: string
  /** Whether a number can be an option: `-5`. */
  readonly isCounted?: true
  /** What other words are. Default: files; `pattern`: a pattern, then files. */
  readonly others?: 'texts' | 'pattern'
  /** Maximum number of other words. */
  readonly most?: number
}

const hash: Form = { flags: 'btz', long: 'binary text tag zero' }

/** Options that mean the same in GNU and BSD, or are harmless in both. Options that follow links are omitted. */
const forms: Readonly<Record<string, Form>> = {
  ls: {
    flags: 'aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1',
    values: 'ITw',
    long: 'all almost-all author block-size= classify? color? directory escape file-type format= full-time group-directories-first hide= human-readable hyperlink? ignore-backups ignore= indicator-style= inode kibibytes literal no-group numeric-uid-gid quote-name quoting-style= recursive reverse show-control-chars si size sort= time-style= time= width= zero',
  },
  pwd: { flags: 'LP', most: 0 },
  cd: { flags: 'LP', most: 1 },
  true: { others: 'texts' },
  false: { others: 'texts' },
  cat: {
    flags: 'AbeEnstTuv',
    long: 'number number-nonblank show-all show-ends show-nonprinting show-tabs squeeze-blank',
  },
  head: {
    flags: 'qvz',
    values: 'cn',
    long: 'bytes= lines= quiet silent verbose zero-terminated',
    isCounted: true,
  },
  tail: {
    flags: 'qvz',
    values: 'cn',
    long: 'bytes= lines= quiet silent verbose zero-terminated',
    isCounted: true,
  },
  wc: { flags: 'clLmw', long: 'bytes chars lines max-line-length total= words' },
  nl: { flags: 'p', values: 'bdfhilnsvw' },
  cut: {
    flags: 'nsz',
    values: 'bcdf',
    long: 'bytes= characters= complement delimiter= fields= only-delimited output-delimiter= zero-terminated',
  },
  tr: {
    flags: 'cCdst',
    long: 'complement delete squeeze-repeats truncate-set1',
    others: 'texts',
  },
  cmp: { flags: 'bls', values: 'in', long: 'bytes= ignore-initial= print-bytes silent verbose' },
  comm: {
    flags: '123z',
    long: 'check-order nocheck-order output-delimiter= total zero-terminated',
  },
  diff: {
    flags: 'abBcdeEinNpqstTuwyZ',
    values: 'CFIUW',
    long: 'brief color? context? expand-tabs ignore-all-space ignore-blank-lines ignore-case ignore-space-change ignore-tab-expansion ignore-trailing-space initial-tab label= minimal new-file normal report-identical-files show-c-function side-by-side speed-large-files strip-trailing-cr suppress-common-lines text unified? width=',
    most: 2,
  },
  stat: { flags: 'ftx', values: 'c', long: 'file-system format= printf= terse' },
  du: {
    flags: '0abcghklmPsSx',
    values: 'Bdt',
    long: 'all apparent-size block-size= bytes exclude= human-readable inodes max-depth= null one-file-system separate-dirs si summarize threshold= time-style= time? total',
  },
  df: {
    flags: 'ahHiklPT',
    values: 'Btx',
    long: 'all block-size= exclude-type= human-readable inodes local output? portability print-type si total type=',
  },
  basename: { flags: 'az', values: 's', long: 'multiple suffix= zero', others: 'texts' },
  dirname: { flags: 'z', long: 'zero', others: 'texts' },
  realpath: {
    flags: 'eELmPqsz',
    long: 'canonicalize-existing canonicalize-missing logical no-symlinks physical quiet relative-base= relative-to= strip zero',
  },
  readlink: {
    flags: 'efmnqsvz',
    long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero',
  },
  which: { flags: 'a' },
  uname: { flags: 'aimnoprsv', long: 'all', most: 0 },
  whoami: { most: 0 },
  id: { flags: 'gGnruz', most: 0 },
  md5sum: hash,
  sha1sum: hash,
  sha256sum: hash,
  sha512sum: hash,
  grep: {
    flags: 'abcEFGhHiIlLnoPqsTUvwxyzZ',
    values: 'ABCem',
    long: 'after-context= basic-regexp before-context= binary-files= byte-offset color? colour? context= count extended-regexp files-with-matches files-without-match fixed-strings ignore-case initial-tab invert-match label= line-number line-regexp max-count= no-filename no-ignore-case no-messages null null-data only-matching perl-regexp quiet regexp= silent text with-filename word-regexp',
    others: 'pattern',
    isCounted: true,
  },
  // Without --merge, which creates a temporary file.
  sort: {
    flags: 'bcCdfghiMnRrsuVz',
    values: 'kt',
    long: 'check? debug dictionary-order field-separator= general-numeric-sort human-numeric-sort ignore-case ignore-leading-blanks ignore-nonprinting key= month-sort numeric-sort random-sort reverse sort= stable unique version-sort zero-terminated',
  },
  uniq: {
    flags: 'cdDiuz',
    values: 'fsw',
    long: 'all-repeated? check-chars= count group? ignore-case repeated skip-chars= skip-fields= unique zero-terminated',
    // A second file would be written to.
    most: 1,
  },
}

/** Built-in commands of the shell, for which no program is looked up. */
export const shellBuiltins: ReadonlySet<string> = new Set(['cd', 'echo', 'false', 'pwd', 'true'])

/** Shell commands that may change the meaning of later words. */
export const stateCommands: ReadonlySet<string> = new Set(
  '. alias bind builtin command declare enable eval exec export getopts hash let local mapfile popd printf pushd read readarray readonly set shift shopt source trap typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
)

/** How a read-only command is understood, given literal words; `undefined` for any other command. */
export function readReadingForm([name = '', ...words]: readonly string[]): ReadingForm | undefined {
  if (words.some(hasOddBlank)) return undefined
  if (name === 'git') return readGitForm(words)
  if (name === 'find') return readFindForm(words)
  if (name === 'date') return readDateForm(words)
  if (name === 'echo') return { names: [], operands: [] }
  return Object.hasOwn(forms, name) ? readWithForm(forms[name] as Form, words) : undefined
}

/** White space that some shell in some locale treats as a blank. */
function hasOddBlank(word: string): boolean {
  return /[^\S \t\n]|\u0085/.test(word)
}

/** Interprets words as GNU's getopt does, except for abbreviated long options. */
function readWithForm(form: Form, words: readonly string[]): ReadingForm | undefined {
  const options = createLongOptions(form)
  const others: string[] = []
  let isPatternGiven = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (word === '--') {
      others.push(...words.slice(at + 1))
      break
    }
    if (!/^-./s.test(word)) {
      others.push(word)
      continue
    }
    const rest = word.startsWith('--')
      ? options(word.slice(2))
      : readShortOptions(form, word.slice(1))
    if (rest === undefined || (rest === 'next' && at + 1 >= words.length)) return undefined
    isPatternGiven ||= /^(?:-[^-]*e|--regexp)/.test(word)
    if (rest === 'next') at += 1
  }
  if (others.length > (form.most ?? others.length)) return undefined
  if (form.others === 'texts') return { names: [], operands: [] }
  const pattern = form.others === 'pattern' && !isPatternGiven ? others[0] : undefined
  const at = pattern === undefined ? -1 : words.indexOf(pattern)
  const names = words.filter((_, index) => index !== at)
  return { names, operands: pattern === undefined ? others : others.slice(1) }
}

/** Whether an option's value is the next word; `undefined` for an unknown option. */
type Rest = 'none' | 'next' | undefined

function createLongOptions({ long = '' }: Form): (written: string) => Rest {
  const known = new Set(long.split(' '))
  return (written) => {
    const [, name = '', value] = /^([^=]*)(=.*)?$/s.exec(written) ?? []
    if (known.has(`${name}=`)) return value === undefined ? 'next' : 'none'
    if (known.has(`${name}?`)) return 'none'
    return name !== '' && known.has(name) && value === undefined ? 'none' : undefined
  }
}

function readShortOptions({ flags = '', values = '', isCounted }: Form, letters: string): Rest {
  if (isCounted && /^\d+$/.test(letters)) return 'none'
  const end = [...letters].findIndex((letter) => !flags.includes(letter))
  if (end === -1) return 'none'
  if (!values.includes(letters[end] as string)) return undefined
  return end + 1 === letters.length ? 'next' : 'none'
}

const findFlags = new Set(
  '! ( ) , -a -and -daystart -depth -empty -executable -false -ls -mount -nogroup -not -nouser -o -or -print -print0 -prune -quit -readable -true -writable -xdev'.split(
    ' ',
  ),
)
const findTexts = new Set(
  '-amin -atime -cmin -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newermt -path -perm -printf -regex -regextype -size -type -uid -user -wholename -xtype'.split(
    ' ',
  ),
)
// Without -samefile, which opens the file system's root.
const findFiles = new Set(['-anewer', '-cnewer', '-newer'])

/** Tests and actions that run no program, write nothing and follow no link. */
function readFindForm(words: readonly string[]): ReadingForm | undefined {
  const given = words[0] === '-P' ? words.slice(1) : words
  const start = given.findIndex((word) => /^-|^[!(),]$/.test(word))
  const operands = start === -1 ? [...given] : given.slice(0, start)
  for (let at = operands.length; at < given.length; at++) {
    const word = given[at] as string
    if (findFlags.has(word)) continue
    const value = given[at + 1]
    if (value === undefined) return undefined
    if (findFiles.has(word)) operands.push(value)
    else if (!findTexts.has(word)) return undefined
    at += 1
  }
  return { names: operands, operands }
}

function readDateForm(words: readonly string[]): ReadingForm | undefined {
  const isKnown = words.every((word) =>
    /^(?:\+.*|-[uR]|-I[a-z]*|--utc|--iso-8601(?:=\w+)?)$/s.test(word),
  )
  return isKnown ? { names: [], operands: [] } : undefined
}
