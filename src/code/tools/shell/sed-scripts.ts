/** Short options of `sed` without a value of their own. */
const flags = 'bEnrsuz'

const address = String.raw`(?:\d+(?:~\d+)?|[$]|[+~]\d+|/(?:\\[\s\S]|[^/\\])*/[IM]*|\\([!-\[\]-~])(?:\\[\s\S]|(?!DELIMITER)[^\\])*DELIMITER[IM]*)`
const between = String.raw`(?:\\[\s\S]|(?!\k<by>)[^\\])*\k<by>`

/** One command with its addresses that is known to start no program; GNU's `e`, and `s` with the flag `e`, are not among them. */
const harmlessCommand = new RegExp(
  [
    String.raw`[\s;]*`,
    `(?:${address.replaceAll('DELIMITER', String.raw`\1`)}`,
    String.raw`(?:\s*,\s*${address.replaceAll('DELIMITER', String.raw`\2`)})?)?[\s!]*`,
    String.raw`(?:[{}=dDgGhHnNpPxzF]|[lLqQ][ \t]*\d*|[bTt:][ \t]*[^\s;}]*|[aci](?:\\[\s\S]|[^\n\\])*|[RrWw][^\n]*|#[^\n]*`,
    String.raw`|[sy](?<by>[ -\[\]-~])${between}${between}[gpiImM\d]*(?:w[^\n]*)?|$)`,
  ].join(''),
  'y',
)

/**
 * Whether one of the scripts that `sed` is given may start a program: whether it has more than commands that are known to start none.
 * @param words behind `sed`
 * @see https://www.gnu.org/software/sed/manual/sed.html#sed-commands-list
 */
export function sedMayRun(words: readonly string[]): boolean {
  const script = findScript(words)
  for (let at = 0; at < script.length; ) {
    harmlessCommand.lastIndex = at
    const end = at + (harmlessCommand.exec(script)?.[0].length ?? 0)
    if (end === at) return true
    at = end
  }
  return false
}

/** What is given as a script, one line for each part; empty where it stands in a file. */
function findScript(words: readonly string[]): string {
  const scripts: string[] = []
  const others: string[] = []
  let isFile = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (word === '--') {
      others.push(...words.slice(at + 1))
      break
    }
    const { option, value } = parseOption(word)
    if (option === undefined) others.push(word)
    const given = value ?? (option === 'e' || option === 'f' || option === 'l' ? words[++at] : '')
    if (option === 'e') scripts.push(given ?? '')
    isFile ||= option === 'f'
  }
  return [...scripts, ...(scripts.length === 0 && !isFile ? others.slice(0, 1) : [])].join('\n')
}

/** The option of a word that may have a value, and the value where it stands in the same word. */
function parseOption(word: string): { readonly option?: string; readonly value?: string } {
  const [, long, value] = /^--(\w[\w-]*)(?:=(.*))?$/s.exec(word) ?? []
  if (long !== undefined) {
    const option = /^e|^fi|^l/.test(long) ? (long[0] as string) : ''
    return value === undefined ? { option } : { option, value }
  }
  const [, option, rest = ''] = new RegExp(`^-[${flags}]*([^${flags}]?)(.*)$`, 's').exec(word) ?? []
  if (option === undefined || word === '-') return {}
  return rest === '' ? { option } : { option, value: rest }
}
