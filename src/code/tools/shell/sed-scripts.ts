/** Short options of `sed` without a value. */
const flags = 'bEnrsuz'

const address = String.raw`(?:\d+(?:~\d+)?|[$]|[+~]\d+|/(?:\\[\s\S]|[^/\\])*/[IM]*|\\([!-\[\]-~])(?:\\[\s\S]|(?!DELIMITER)[^\\])*DELIMITER[IM]*)`
const between = String.raw`(?:\\[\s\S]|(?!\k<by>)[^\\])*\k<by>`

/** A command with its addresses that runs no program; GNU's `e` and the flag `e` of `s` are excluded. */
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
 * Whether a script given to `sed` may run a program: whether it has anything but commands known to run none.
 * @param words the words after `sed`
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

/** The scripts among the words, one per line; empty if the script is in a file. */
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

/** An option that may have a value, and the value if it is in the same word. */
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
