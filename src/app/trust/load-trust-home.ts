import type { Configuration } from '../config/configuration.ts'
import type { HomeContents } from './trust-home.ts'

/** Looks into a home without trusting it. What it looks with is loaded on first use. @see {@link HomeContents} */
export async function lookIntoHome(
  configuration: Configuration,
  folder: string | undefined,
): Promise<HomeContents> {
  return (await import('./trust-home.ts')).lookIntoHome(configuration, folder)
}

/** Registers a home as this person's. @throws `invalid_configuration` where it cannot be registered, `store_failed` */
export async function registerHome(configuration: Configuration, path: string): Promise<void> {
  return (await import('./trust-home.ts')).registerHome(configuration, path)
}
