import type { CodeRequest, CodeSettings, SettingsChange } from '../../app.ts'

/** What is set up now, for a resumed session: rules are added to those that it has. */
export function addedTo(
  known: Partial<CodeSettings> | undefined,
  settings: NonNullable<CodeRequest['settings']>,
): SettingsChange {
  const { allow = [], deny = [], ...others } = settings
  const joined = (one: readonly string[] = [], other: readonly string[]) => [
    ...new Set([...one, ...other]),
  ]
  return {
    ...(others as SettingsChange),
    ...(allow.length === 0 ? {} : { allow: joined(known?.allow, allow) }),
    ...(deny.length === 0 ? {} : { deny: joined(known?.deny, deny) }),
  }
}
