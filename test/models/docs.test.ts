import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createApp, loadConfiguration, toAppOptions } from '../../src/app.ts'
import { providers } from '../../src/models/providers.ts'

const text = readFileSync(new URL('../../docs/models.md', import.meta.url), 'utf8')
const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

describe('docs/models.md', () => {
  it('has the providers as they are', () => {
    const rows = providers.map(({ provider, label, keyVariables, baseUrlVariables, baseUrl }) => {
      const address = [baseUrl ?? '–', code(baseUrlVariables)].filter((part) => part !== '')
      return `| \`${provider}:\` | ${label} | ${code(keyVariables) || '–'} | ${address.join(' · ')} |`
    })
    const [, table = ''] = text.split('|---|---|---|---|\n')
    expect(table.split('\n\n')[0]?.split('\n')).toEqual(rows)
  })

  it('shows a configuration that holds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scholium-docs-'))
    const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? []
    writeFileSync(join(folder, 'scholium.yaml'), yaml)
    const environment = {
      ANTHROPIC_API_KEY: 'k',
      MY_SERVER_KEY: 'k',
      SCHOLIUM_HOME: join(folder, 'home'),
    }
    // The file that a person names is the person's own: it may name any variable as a key.
    const given = { configFile: join(folder, 'scholium.yaml') }
    const configuration = await loadConfiguration({ environment, folder, given })
    const app = createApp(toAppOptions(configuration, 'new'))
    expect(app.models).toMatchObject({
      planner: 'ollama:llama3.2',
      critic: 'anthropic:claude-haiku-4-5',
      finalizer: 'openai-compatible:qwen3',
    })
    await app.close()
    rmSync(folder, { recursive: true })
  })
})
