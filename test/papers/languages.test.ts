import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderPapersAs } from '../../src/app.ts'
import type { ModelRequestSeen } from '../../src/testing/index.ts'
import { AppWorld } from './app-world.ts'
import { papersRoleOf } from './paper-script.ts'

/** Papers: a finding, the same with its number in another form, and one with another number. */
const languages = [
  {
    name: 'German',
    title: 'Die Tiefe des Sees',
    said: 'Der See ist an der tiefsten Stelle 251,1 Meter tief.',
    same: 'Der See ist an der tiefsten Stelle 251,10 Meter tief.',
    wrong: 'Der See ist an der tiefsten Stelle 215,1 Meter tief.',
  },
  {
    name: 'Chinese',
    title: '长江流域的面积',
    said: '长江流域面积约180万平方公里。',
    same: '长江流域面积约１８０万平方公里。',
    wrong: '长江流域面积约190万平方公里。',
  },
  {
    name: 'Arabic',
    title: 'طول نهر النيل',
    said: 'يبلغ طول نهر النيل حوالي ٦٦٥٠ كيلومترًا.',
    same: 'يبلغ طول نهر النيل حوالي 6650 كيلومترًا.',
    wrong: 'يبلغ طول نهر النيل حوالي 5650 كيلومترًا.',
  },
] as const
type Paper = (typeof languages)[number]

const none = {
  methodology: [],
  key_findings: [],
  conclusions: [],
  limitations: [],
  contributions: [],
}

function script(seen: ModelRequestSeen) {
  const paper = languages.find(({ title }) => seen.lastText.includes(title)) as Paper
  const role = papersRoleOf(seen)
  const key_findings = [paper?.said, paper?.same, paper?.wrong]
  if (role === 'analyzer') return { json: { ...none, key_findings } }
  const summary = `${paper?.said.replace(/[.。]$/, '')} [1]${paper?.said.at(-1)}`
  if (role === 'synthesizer')
    return { json: { consensus: [], contradictions: [], gaps: [], summary } }
  return { json: { verdicts: [] } }
}

let world: AppWorld
beforeAll(async () => {
  world = await AppWorld.start(script)
})
afterAll(() => world.close())

describe.each(languages)('papers in $name', ({ name, title, said }) => {
  it('are analysed and combined, with quotes found and numbers compared', async () => {
    const file = join(world.folder, `${name}.md`)
    writeFileSync(file, `# ${title}\n\n${said}\n`)
    const app = world.app()
    const answer = await app.papers({ query: title, sources: [file] })
    const [analysis] = answer.analyses
    expect(analysis?.keyFindings.map(({ verdict }) => verdict)).toEqual([
      'verbatim',
      expect.stringMatching(/^(?:verbatim|supported)$/),
      'altered',
    ])
    expect(answer.claims).toMatchObject([{ verdict: 'verbatim', evidence: [{ n: 1 }] }])
    const page = await renderPapersAs(answer, 'html')
    // The browser takes the direction of each text from the text itself.
    expect(page).toContain(`<h1 dir="auto">${title}</h1>`)
    expect(page).toMatch(new RegExp(`<blockquote dir="auto">${said}</blockquote>`))
  })
})
