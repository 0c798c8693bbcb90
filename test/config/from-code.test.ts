import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp, loadConfiguration, readAskDefaults, toAppOptions } from '../../src/index.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-from-code-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('an app that is set up as the command line is', () => {
  it('asks with the sources, limits and models of the project', async () => {
    writeFileSync(join(folder, 'bees.md'), '# Bees\n\nA hive of bees has 40,000 workers in June.\n')
    const settings =
      'sources: [bees.md]\nretryLimit: 2\nclaims: off\nlimits: { maxSteps: 30 }\nmodels: { default: extractive }\n'
    writeFileSync(join(folder, 'scholium.yaml'), settings)
    const configuration = await loadConfiguration({ environment: {}, folder })
    const options = toAppOptions(configuration, 'new')
    expect(options).toMatchObject({
      limits: { maxSteps: 30 },
      models: { default: { name: 'extractive' } },
    })
    const defaults = readAskDefaults(configuration)
    expect(defaults).toEqual({
      sources: [join(folder, 'bees.md')],
      sourcesRoot: folder,
      retryLimit: 2,
      claims: 'off',
    })
    const app = createApp({ ...options, home: join(folder, 'home') })
    const { answer } = await app.ask({
      question: 'How many workers has a hive in June?',
      ...defaults,
    })
    await app.close()
    expect(answer).toContain('40,000 workers')
  })
})
