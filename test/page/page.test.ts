import { describe, expect, it } from 'vitest'
import { createHandler, listen } from '../../src/server/index.ts'
import { question } from '../server/served-app.ts'
import { isBrowserMissing, token, usePage } from './page-scene.ts'

describe.skipIf(isBrowserMissing)(
  'the page in a browser (needs Chromium: SCHOLIUM_CHROMIUM, or on the PATH)',
  () => {
    const scene = usePage()
    const { held } = scene
    const answer = () => scene.page.getByRole('article', { name: 'Answer' })
    const proof = () => scene.page.getByRole('complementary', { name: 'Proof' })

    it('asks, shows the proof of a sentence and closes it, by keyboard alone', async () => {
      const { page } = scene
      await page.getByLabel('Your question').waitFor()
      expect(page.url()).not.toContain(token)
      await page.keyboard.type(question)
      await page.keyboard.press('Enter')
      await answer().waitFor()
      await page.keyboard.press('j')
      await proof().locator('mark').waitFor()
      expect(await proof().locator('mark').textContent()).toContain('412 degrees')
      expect(page.url()).toMatch(/\/#\/runs\/[\w-]+\/1$/)
      await page.keyboard.press('Escape')
      await proof().locator('mark').waitFor({ state: 'detached' })
      await page.keyboard.press('Enter')
      await proof().locator('mark').waitFor()
      expect(page.url()).toMatch(/\/1\/1$/)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      await page.keyboard.press('Escape')
    })

    it('asks, has a plan approved and opens a number, by mouse', async () => {
      const { page } = scene
      await page.getByLabel('Your question').fill(question)
      await page.getByLabel('Show me the plan').check()
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      await page.getByRole('heading', { name: 'Is this plan right?' }).waitFor()
      expect(await page.title()).toContain('Question for you')
      await page.getByRole('button', { name: 'Approve the plan' }).click()
      await answer().getByRole('button').first().click()
      await proof().locator('mark').waitFor()
      await page.getByRole('button', { name: 'Copy as Markdown' }).click()
      await page.getByText('Reference list').click()
      await page.locator('pre', { hasText: 'Glimmerstone' }).waitFor()
    })

    it('shows the same after a reload in mid-run, and the answer when it comes', async () => {
      const { page } = scene
      held.hold()
      await page.getByLabel('Your question').fill(question)
      await page.keyboard.press('Enter')
      const rows = page.getByRole('list', { name: 'The work' })
      await rows.getByText('in progress').waitFor()
      const before = await rows.innerText()
      await page.reload()
      await rows.getByText('in progress').waitFor()
      expect(await rows.innerText()).toBe(before)
      held.letGo()
      await answer().waitFor()
    })

    it('shows a run on when the server was stopped and another was started in mid-run', async () => {
      const { page, served } = scene
      held.hold()
      await page.getByLabel('Your question').fill(question)
      await page.keyboard.press('Enter')
      await page.getByRole('list', { name: 'The work' }).getByText('in progress').waitFor()
      const port = Number(new URL(served.url).port)
      await served.stop()
      await page.getByText('The connection is lost').waitFor()
      const handler = createHandler(served.openApp(held.options), { token })
      const listening = await listen(handler, { port })
      held.letGo()
      await handler.continueRuns()
      await answer().waitFor()
      // A browser reports each attempt to connect.
      scene.faults = scene.faults.filter((fault) => !fault.includes('Failed to load resource'))
      await page.close()
      await listening.close()
    })

    it('says that another process executes a run, which is shown from its log', async () => {
      const { page, served } = scene
      held.hold()
      const { promise: started, resolve } = Promise.withResolvers<string>()
      const onEvent = (event: object) => {
        if ('runId' in event) resolve(String(event.runId))
      }
      const asked = served.openApp(held.options).ask({ question }, { onEvent })
      await scene.goTo(`#/runs/${await started}`)
      await page.getByText('Another process executes this run.').waitFor()
      expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0)
      held.letGo()
      await asked
      await answer().waitFor()
      await page.getByText('Another process executes this run.').waitFor({ state: 'detached' })
    })

    it('takes a key after g only for a moment as the name of a place', async () => {
      const { page } = scene
      await page.clock.install()
      await scene.goTo('#/library')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('g')
      await page.clock.fastForward(1_600)
      await page.keyboard.press('r')
      expect(page.url()).toContain('#/library')
      await page.keyboard.press('g')
      await page.keyboard.press('r')
      await page.getByRole('heading', { name: 'Runs' }).waitFor()
    })

    it('stops, resumes and finds runs', async () => {
      const { page } = scene
      held.hold()
      await page.getByLabel('Your question').fill(question)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      held.letGo()
      await page.getByRole('button', { name: 'Resume' }).click()
      await answer().waitFor()
      await page.getByRole('link', { name: 'Runs' }).click()
      await page.getByLabel('Filter').fill('nothing like it')
      await page.getByText('No run matches.').waitFor()
      await page.getByLabel('Filter').fill('glimmer')
      await page.getByRole('link', { name: question }).press('Enter')
      await answer().waitFor()
    })

    it('shows hostile text as the text that it is', async () => {
      const { page, served } = scene
      served.write(
        'trap.md',
        '# Trap\n\nZorbium is <img src="https://evil.example/x" onerror="alert(1)"> a <script>alert(2)</script> metal.\n',
      )
      const app = served.openApp()
      await Array.fromAsync(app.addToLibrary(['trap.md']))
      await page
        .getByLabel('Your question')
        .fill('What is zorbium <img src=https://evil.example/y>?')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: '<img src=https://evil.example/y>' }).waitFor()
      await page.getByText('How it came about').waitFor()
      expect(await page.locator('img, main script').count()).toBe(0)
    })

    it('has no fault that axe finds, light and dark, narrow and wide', async () => {
      const { served } = scene
      const { body } = await served.finish({ workflow: 'ask', question })
      const places = ['#/', '#/runs', '#/library', `#/runs/${body.runId}`, `#/runs/${body.runId}/1`]
      expect(await scene.findFaults(places)).toEqual([])
    })
  },
)
