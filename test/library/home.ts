import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type App, type AppOptions, createApp } from '../../src/index.ts'

/** Apps over one new home for each test: each call is another program that opens it. */
export function useHome(): (options?: AppOptions) => App {
  let home: string | undefined
  let apps: App[] = []
  afterEach(async () => {
    for (const app of apps) await app.close()
    if (home !== undefined) rmSync(home, { recursive: true })
    home = undefined
    apps = []
  })
  return (options = {}) => {
    home ??= mkdtempSync(join(tmpdir(), 'scholium-library-'))
    const app = createApp({ home, environment: {}, onWarning: () => {}, ...options })
    apps.push(app)
    return app
  }
}
