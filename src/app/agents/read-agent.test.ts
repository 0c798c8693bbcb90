import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app.ts'

let top = ''
let folder = ''
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'scholium-read-agent-'))
  folder = join(top, 'project')
  mkdirSync(join(folder, 'agents'), { recursive: true })
  writeFileSync(join(top, 'secret.yaml'), 'kind: Secret\ndata: {password: c3VwZXI=}\n')
  writeFileSync(join(folder, 'common.yaml'), 'variables: {word: yes-indeed}\n')
})
afterEach(() => rmSync(top, { recursive: true }))

const agent = (imports: string) =>
  `name: a\nimports: [{path: ${imports}, as: k}]\nnodes: [{name: n, uses: core.return, with: {value: "{{ data }}"}}]\n`

async function problemsOf(imports: string, overlays: readonly string[] = []): Promise<string> {
  writeFileSync(join(folder, 'agents', 'a.yaml'), agent(imports))
  const app = createApp({ home: join(top, 'home'), folder })
  try {
    const { problems } = await app.validateAgent('agents/a.yaml', { overlays })
    return problems.map(({ message }) => message).join('\n')
  } finally {
    await app.close()
  }
}

describe('what an agent file names', () => {
  it('is read from the folder of the file and from the current one', async () => {
    writeFileSync(join(folder, 'agents', 'beside.yaml'), 'variables: {word: beside}\n')
    expect(await problemsOf('beside.yaml')).not.toContain('cannot be read')
    expect(await problemsOf('../common.yaml')).not.toContain('cannot be read')
  })

  it.each([
    ['by a way up', () => '../../secret.yaml'],
    ['by its whole path', () => join(top, 'secret.yaml')],
    [
      'through a link',
      () => {
        symlinkSync(join(top, 'secret.yaml'), join(folder, 'agents', 'link.yaml'))
        return 'link.yaml'
      },
    ],
    [
      'in a hidden file',
      () => {
        writeFileSync(join(folder, 'agents', '.env'), 'variables: {KEY: s3cret}\n')
        return '.env'
      },
    ],
  ])('is not read from elsewhere, %s', async (_how, imported) => {
    expect(await problemsOf(imported())).toContain('it is outside the folder')
  })

  it('is read from anywhere where the person names it', async () => {
    writeFileSync(join(top, 'over.yaml'), 'variables: {word: over}\n')
    expect(await problemsOf('../common.yaml', [join(top, 'over.yaml')])).not.toContain('outside')
  })
})
