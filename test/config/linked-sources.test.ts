import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  createApp,
  loadConfiguration,
  readAskDefaults,
  toAppOptions,
} from '../../src/index.ts'

const secret = 'aws_secret_access_key is the bees key of the reader alone.'
let root = ''
let project = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'scholium-linked-')))
  project = join(root, 'project')
  mkdirSync(join(project, 'docs'), { recursive: true })
  mkdirSync(join(root, 'private'))
  writeFileSync(join(root, 'private', 'credentials'), secret)
  writeFileSync(join(project, 'docs', 'bees.md'), 'A hive of bees has 40,000 workers in June.\n')
  symlinkSync(join(root, 'private', 'credentials'), join(project, 'docs', 'notes.txt'))
  symlinkSync(join(root, 'private'), join(project, 'docs', 'folder'))
})
afterEach(() => rmSync(root, { recursive: true }))

async function ask(given: { readonly sources?: readonly string[] }): Promise<{
  readonly answer: Answer
  readonly recorded: string
}> {
  const environment = { HOME: root, XDG_CONFIG_HOME: join(root, 'config') }
  const configuration = await loadConfiguration({ environment, folder: project, given })
  const app = createApp({ ...toAppOptions(configuration, 'new'), home: join(root, 'home') })
  try {
    const question = 'What is the aws_secret_access_key of bees?'
    const answer = await app.ask({ ...readAskDefaults(configuration), question })
    let recorded = ''
    for await (const event of app.events(answer.runId)) recorded += JSON.stringify(event)
    return { answer, recorded }
  } finally {
    await app.close()
  }
}

describe("links among a project's sources", () => {
  it('lead to nothing outside of it, where its configuration file names them', async () => {
    writeFileSync(join(project, 'scholium.yaml'), 'sources: [docs]\n')
    const { answer, recorded } = await ask({})
    expect(recorded).not.toContain('of the reader alone')
    expect(JSON.stringify(answer)).not.toContain('of the reader alone')
    expect(recorded).toContain(`"filesWithin":"${project}"`)
    const unread = answer.gaps.filter(({ kind }) => kind === 'unreadable_source')
    expect(unread.map(({ source, detail }) => `${source}: ${detail}`)).toEqual(
      ['folder', 'notes.txt'].map(
        (link) =>
          `${join(project, 'docs', link)}: Not read: it is a link that leads outside ${project}.`,
      ),
    )
  })

  it('are told, not followed, where the person names the folder that they are in', async () => {
    const { answer, recorded } = await ask({ sources: ['docs'] })
    const unread = answer.gaps.filter(({ kind }) => kind === 'unreadable_source')
    expect(unread.map(({ detail }) => detail)).toEqual(
      Array(2).fill(`Not read: it is a link that leads outside ${join(project, 'docs')}.`),
    )
    expect(recorded).not.toContain('of the reader alone')
  })

  it('are followed where the person names them', async () => {
    const { answer, recorded } = await ask({ sources: ['docs/notes.txt'] })
    expect(answer.gaps.filter(({ kind }) => kind === 'unreadable_source')).toEqual([])
    expect(recorded).toContain('of the reader alone')
  })
})
