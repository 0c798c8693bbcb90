import { secretForms } from '../../../kernel/secrets.ts'

/** The environment's variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What commands are not told. */
export interface AppSecrets {
  /** Variables in which the app looks for keys. */
  readonly names: readonly string[]
  /** Keys themselves, wherever they stand. */
  readonly values: readonly string[]
}

/** Variables with which a shell would do something before it does what it is told. */
const shellVariables =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|CDPATH|GLOBIGNORE|BASH_FUNC_.*)$/

/**
 * The environment of commands: without the app's secrets and without what changes how a shell reads its line. Programs are told that
 * nobody is there to page or to answer, and Git not to take a folder that looks like a repository for one: its settings name
 * programs, and whoever writes files could write them.
 */
export function commandEnvironment(
  environment: Environment,
  { names, values }: AppSecrets,
): Readonly<Record<string, string>> {
  const forms = secretForms(values)
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !names.includes(entry[0]) &&
      !shellVariables.test(entry[0]) &&
      !forms.some((form) => entry[1]?.includes(form)),
  )
  return {
    ...Object.fromEntries(kept),
    ...withGitSetting(environment, 'safe.bareRepository', 'explicit'),
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  }
}

/**
 * Behind the settings of Git that the environment has already.
 * @see https://git-scm.com/docs/git-config#Documentation/git-config.txt-safebareRepository
 */
function withGitSetting(
  { GIT_CONFIG_COUNT: given = '' }: Environment,
  name: string,
  value: string,
) {
  const count = /^\d+$/.test(given) ? Number(given) : 0
  return {
    GIT_CONFIG_COUNT: `${count + 1}`,
    [`GIT_CONFIG_KEY_${count}`]: name,
    [`GIT_CONFIG_VALUE_${count}`]: value,
  }
}
