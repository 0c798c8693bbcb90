import { holdsSecret } from '../../../kernel/run/secrets.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What is withheld from commands. */
export interface AppSecrets {
  /** Variables in which the app looks for keys. */
  readonly names: readonly string[]
  /** The keys themselves, wherever they appear. */
  readonly values: readonly string[]
  /**
   * What the rules say about a variable. One whose name or value looks like a secret is only passed on if a rule
   * allows it.
   */
  readonly verdictOn?: (name: string) => 'allow' | 'deny' | undefined
}

/** Variables that make a shell do something before its command. */
const shellVariables =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|CDPATH|GLOBIGNORE|BASH_FUNC_.*)$/

/** Names of variables that usually hold keys or passwords. */
const secretVariable =
  /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|TOKEN(?!IZER)|(?:^|_|API)KEYS?(?:_|$)|_(?:PASS|PWD|PAT)$/i

/**
 * Values that contain a password whatever the variable is called: a URL with credentials, a connection string, a
 * private key.
 */
const secretValue =
  /[a-z][a-z\d+.-]{0,30}:\/\/[^\s/@:]{0,200}:[^\s/@]{1,200}@|(?:^|[;\s])(?:password|pwd)\s?=\s?[^;\s]|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/i

/** Git settings passed as numbered variables. */
const gitSettingVariable = /^GIT_CONFIG_(?:COUNT$|KEY_|VALUE_)/

/**
 * The environment of commands: without the app's secrets, without variables that look like secrets, and without those
 * that change how a shell reads its line. Programs are told that nobody is there to page or to answer. Git is told to
 * ignore bare repositories inside folders, since their configuration can name programs and anyone who can write files
 * could plant one.
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
 * The environment of read-only commands and of Scholium's own calls of Git, derived from the commands' environment:
 * settings switch off what Git would otherwise execute. {@link findGitObjection} looks for what settings cannot switch
 * off.
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
    ...toGitVariables([
      ...readGitSettings(environment),
      ...noProgramSettings,
      ...plainOutputSettings,
    ]),
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
  }
}

type GitSetting = readonly [name: string, value: string]

/** Settings that keep Git from running a folder's hooks and file monitor, and from entering submodules. */
const noProgramSettings: readonly GitSetting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', ''],
  ['submodule.recurse', 'false'],
]

/** Further settings for commands that print: no external diffs of submodules, no programs that check signatures. */
const plainOutputSettings: readonly GitSetting[] = [
  ['diff.submodule', 'short'],
  ['log.showSignature', 'false'],
  ['status.submoduleSummary', 'false'],
]

/** `git` with options that keep it from running hooks and other programs of the folder, for a command line that a person sees. */
export const gitWithoutPrograms = ['git', ...noProgramSettings.map(toGitOption)].join(' ')

function toGitOption([name, value]: GitSetting): string {
  return `-c ${name}=${value}`
}

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
