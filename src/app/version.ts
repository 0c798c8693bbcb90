import { readFileSync } from 'node:fs'

/** The package's version, as `package.json` has it. */
export const packageVersion: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
).version
