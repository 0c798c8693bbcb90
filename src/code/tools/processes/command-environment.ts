import { holdsSecret } from '../../../kernel/run/secrets.ts'

/** The environment's variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What commands are not told. */
export interface AppSecrets {
  /** Variables in which the app looks for keys. */
  readonly names: readonly string[]
  /** Keys themselves, wherever they stand. */
  readonly values: readonly string[]
  /** What a rule says of a variable; one whose name or value is that of a secret is told only where a rule allows it. */
  readonly verdictOn?: (name: string) => 'allow' | 'deny' | undefined
}

/** Variables with which a shell would do something before it does what it is told. */
const shellVariables =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|CDPATH|GLOBIGNORE|BASH_FUNC_.*)$/

/** Names of variables in which keys and passwords of other programs stand. */
const secretVariable =
  /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|TOKEN(?!IZER)|(?:^|_|API)KEYS?(?:_|$)|_(?:PASS|PWD|PAT)$/i

/** Values that hold a password, whatever they are called: an address with one, a connection's settings, a private key. */
const secretValue =
  /[a-z][a-z\d+.-]{0,30}:\/\/[^\s/@:]{0,200}:[^\s/@]{1,200}@|(?:^|[;\s])(?:password|pwd)\s?=\s?[^;\s]|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/i

/** Settings of Git, which stand in several variables that count one another. */
const gitSettingVariable = /^GIT_CONFIG_(?:COUNT$|KEY_|VALUE_)/

/**
 * The environment of commands: without the app's secrets, without variables that are called secrets or hold a password, and
 * without what changes how a shell reads its line. Programs are told that nobody is there to page or to answer, and Git not to
 * take a folder that looks like a repository for one: its settings name programs, and whoever writes files could write them.
 */
export function createCommandEnvironment(
  environment: Environment,
  { names, values, verdictOn = () => undefined }: AppSecrets,
): Readonly<Record<string, string>> {
  const hasKey = (value: string) => holdsSecret(value, values)
  const isTold = (name: string, value: string) => {
    if (names.includes(name) || shellVariables.test(name) || gitSettingVariable.test(name))
      return false
    if (hasKey(value)) return false
    const isSecret = secretVariable.test(name) || secretValue.test(value)
    return (verdictOn(name) ?? (isSecret ? 'deny' : 'allow')) === 'allow'
  }
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isTold(entry[0], entry[1]),
  )
  const settings = readGitSettings(environment).filter(([, value]) => !hasKey(value))
  return {
    ...Object.fromEntries(kept),
    ...toGitVariables([...settings, ['safe.bareRepository', 'explicit']]),
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  }
}

/**
 * The environment of commands that only read, and of our own calls of Git, made of that of commands: with what Git would run by
 * itself off, as far as settings go. What else a folder's own configuration names, {@link gitObjection} looks for.
 */
export function createReadingEnvironment(
  environment: Environment,
): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !/^(?:GIT_EXTERNAL_DIFF|GREP_OPTIONS|GIT_CONFIG_COUNT)$/.test(entry[0]),
  )
  return {
    ...Object.fromEntries(kept),
    ...toGitVariables([...readGitSettings(environment), ...noProgramSettings]),
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
  }
}

type GitSetting = readonly [name: string, value: string]

/** Settings with which Git starts no program of a folder's making for what only reads, and looks into no submodule's changes. */
const noProgramSettings: readonly GitSetting[] = [
  ['core.fsmonitor', ''],
  ['core.hooksPath', '/dev/null'],
  ['diff.submodule', 'short'],
  ['log.showSignature', 'false'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
]

/** @see https://git-scm.com/docs/git-config#ENVIRONMENT */
function readGitSettings(environment: Environment): readonly GitSetting[] {
  const count = /^\d{1,3}$/.test(environment.GIT_CONFIG_COUNT ?? '')
    ? Number(environment.GIT_CONFIG_COUNT)
    : 0
  return Array.from({ length: count }, (_, at) => at).flatMap((at): GitSetting[] => {
    const name = environment[`GIT_CONFIG_KEY_${at}`]
    const value = environment[`GIT_CONFIG_VALUE_${at}`]
    return name === undefined || value === undefined ? [] : [[name, value]]
  })
}

function toGitVariables(settings: readonly GitSetting[]): Readonly<Record<string, string>> {
  const entries = settings.flatMap(([name, value], at): [string, string][] => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { GIT_CONFIG_COUNT: `${settings.length}`, ...Object.fromEntries(entries) }
}
