import { describe, expect, it } from 'vitest'
import { Timeline } from '../../web/src/inside/timeline.ts'
import { question } from '../server/served-app.ts'
import { isBrowserMissing, usePage } from './page-scene.ts'

describe.skipIf(isBrowserMissing)('the inside of a run on the page (needs Chromium)', () => {
  const scene = usePage()
  const events = () => scene.page.getByRole('list')
  const details = () => scene.page.getByRole('complementary')

  const ask = async (): Promise<string> =>
    (await scene.served.finish({ workflow: 'ask', question })).body.runId

  it('shows the prompt of a call that was found by typing, and forks from there, by keyboard alone', async () => {
    const { page } = scene
    const runId = await ask()
    await scene.goTo(`#/runs/${runId}/inside/events`)
    await events().getByText('ask/planner[1]/model').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('planner step.done')
    await page.getByText('1 found').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await details().getByRole('heading', { name: 'Prompt as it was sent' }).waitFor()
    await details().getByText(`Plan how to answer this question: ${question}`).waitFor()
    expect(page.url()).toMatch(/inside\/events\/\d+$/)
    await page.reload()
    await details().getByText('tokens in').waitFor()
    await details().getByRole('button', { name: 'Fork from here' }).press('Enter')
    await page.getByRole('dialog', { name: 'Fork this run' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await details().waitFor({ state: 'detached' })
  })

  it('says what took the time, is zoomed into, and shows the way through the graph, by mouse', async () => {
    const { page } = scene
    const runId = await ask()
    await scene.goTo(`#/runs/${runId}`)
    await page.getByRole('link', { name: 'Look inside' }).click()
    await page.getByText(/of .*: waiting for openai-compatible:scripted \(4 calls\)/).waitFor()
    await page.getByRole('cell', { name: 'openai-compatible:scripted' }).first().waitFor()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.getByRole('button', { name: 'Whole run' }).click()
    await page.getByRole('button', { name: /planner\[1\]/ }).click()
    await page.getByRole('link', { name: 'Graph' }).click()
    await page.getByRole('link', { name: 'orchestrator 4×' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'planner' }).first().click()
    await details().getByRole('button', { name: 'Fork from here' }).click()
    await page.getByRole('button', { name: 'Start the fork' }).click()
    await page.getByRole('article', { name: 'Answer' }).waitFor()
    expect(await scene.served.openApp().listRuns()).toHaveLength(2)
  })

  it('grows while the run is executed', async () => {
    const { page, served } = scene
    scene.held.hold()
    const { runId } = (await served.call('post', '/api/runs', { workflow: 'ask', question })).body
    await scene.goTo(`#/runs/${runId}/inside/events`)
    await events().getByText('step began').waitFor()
    scene.held.letGo()
    await page.getByLabel('Filter').fill('run.finished')
    await events().getByText('run ended').waitFor()
  })

  it('has no fault that axe finds, light and dark, narrow and wide', async () => {
    const runId = await ask()
    const places = ['time', 'events', 'events/6'].map((view) => `#/runs/${runId}/inside/${view}`)
    const found = [
      ...(await scene.findFaults(places, () => scene.page.getByText(/^\d+ events$/))),
      ...(await scene.findFaults([`#/runs/${runId}/inside/graph`], () =>
        scene.page.locator('main svg'),
      )),
    ]
    expect(found).toEqual([])
  })
})

describe('what took the time of a run', () => {
  const entry = (seq: number, type: string, key: string, ts: number, more: object = {}) => ({
    seq,
    type,
    key,
    ts,
    ...more,
  })

  it('counts parallel calls once and leaves out the pause between two sessions', () => {
    const timeline = new Timeline()
    const model = {
      kind: 'model',
      model: 'ollama:m',
      role: 'researcher',
      inputTokens: 5,
      costUsd: 1,
    }
    for (const one of [
      entry(1, 'run.started', '', 0),
      entry(2, 'step.done', 'ask/a[1]/x/model', 40, { ...model, startedAt: 0 }),
      entry(3, 'step.done', 'ask/a[1]/y/model', 60, { ...model, startedAt: 20 }),
      entry(4, 'node.done', 'ask/a[1]', 60),
      entry(5, 'run.suspended', '', 60),
      entry(6, 'run.resumed', '', 10_060),
      entry(7, 'step.failed', 'ask/b[1]/z/call', 10_100, {
        kind: 'tool',
        name: 'read',
        startedAt: 10_060,
      }),
      entry(8, 'run.finished', '', 10_110),
    ])
      timeline.hear(one)
    expect(timeline.totalMs).toBe(110)
    expect(timeline.shares().map(({ what, ms, calls }) => [what.kind, ms, calls])).toEqual([
      ['model', 60, 2],
      ['tool', 40, 1],
      ['rest', 10, 0],
    ])
    expect(timeline.roles.get('researcher')).toMatchObject({
      calls: 2,
      inputTokens: 10,
      costUsd: 2,
    })
  })
})
