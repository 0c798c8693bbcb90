import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageVersion } from '../../src/app/version.ts'
import { type App, createApp } from '../../src/app.ts'
import type { ClaimPolicy } from '../../src/ask/result.ts'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { supportEveryClaim } from '../../src/testing/scripted-team.ts'
import { checkOf, failed, faultTexts, verify } from './opened.ts'

const verbatim = 'Glimmerstone melts at 412 degrees Celsius [1].'
const altered = 'Glimmerstone melts at 512 degrees Celsius [1].'
const free = 'Nobody knew of the mineral before a woman came upon it in those years [1].'
const bare = 'It is lovely.'
const leading = 'Glimmerstone melts at 412 degrees Celsius ([more](https://evil.example/x)) [1].'

const folder = mkdtempSync(join(tmpdir(), 'scholium-model-verdicts-'))
let model: ScriptedModel
let app: App
beforeAll(async () => {
  const answer = `${verbatim} ${altered} ${free} ${bare} ${leading}`
  model = await startScriptedModel(
    scriptTeam({
      finalizer: { json: { final_answer: answer, final_reasoning_trace: '' } },
      verifier: supportEveryClaim('It was found by Ada Quill in 1907'),
    }),
  )
  mkdirSync(join(folder, 'papers'))
  writeFileSync(
    join(folder, 'papers', 'glimmerstone.md'),
    '# Glimmerstone\n\nGlimmerstone melts at 412 degrees Celsius. It was found by Ada Quill in 1907.\n',
  )
  app = createApp({
    home: join(folder, 'home'),
    folder,
    models: { default: 'openai-compatible:scripted' },
    environment: { OPENAI_BASE_URL: model.url },
    prices: { 'openai-compatible:scripted': { inputUsdPerMTok: 1, outputUsdPerMTok: 2 } },
  })
})
afterAll(async () => {
  await app.close()
  await model.close()
  rmSync(folder, { recursive: true })
})

async function reportOf(claims: ClaimPolicy) {
  const answer = await app.ask({
    question: 'When does glimmerstone melt?',
    sources: ['papers'],
    depth: 'thorough',
    claims,
  })
  await app.exportRun(answer.runId, { file: `${claims}.scholium` })
  const report = await verify(readFileSync(join(folder, `${claims}.scholium`)), { packageVersion })
  return { answer, report }
}

describe('the bundle of a run whose claims a model judged', () => {
  it('is sound: the verdicts of code come out again', async () => {
    const { answer, report } = await reportOf('mark')
    expect(answer.claims.map(({ verdict, judge }) => [verdict, judge])).toEqual([
      ['verbatim', 'code'],
      ['altered', 'code'],
      ['supported', 'openai-compatible:scripted'],
      ['not_found', 'code'],
      ['altered', 'code'],
    ])
    expect(answer.claims[4]?.reason).toContain('https://evil.example/x')
    expect(faultTexts(report)).toBe('')
    expect(checkOf(report, 'verdicts')).toMatchObject({
      outcome: 'undecided',
      detail: '4 of 5 verdicts the same again; 1 not judged again',
    })
  })

  it.each(['strict', 'off'] as const)('is sound under the policy %s', async (claims) => {
    const { answer, report } = await reportOf(claims)
    expect(answer.answer.includes(bare)).toBe(claims === 'off')
    expect(answer.answer.includes(free)).toBe(true)
    expect(failed(report)).toEqual([])
    expect(checkOf(report, 'result').outcome).toBe('passed')
  })
})
