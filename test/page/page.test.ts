import { describe, expect, it } from 'vitest'
import { createHandler, listen } from '../../src/server/index.ts'
import { question } from '../server/served-app.ts'
import { lacksChromium, PageInBrowser, token } from './browser.ts'

describe.skipIf(lacksChromium)('the page (needs Chromium)', () => {
  const browser = new PageInBrowser()

  it('asks, shows the proof of a sentence and closes it, by keyboard alone', async () => {
    await browser.page.getByLabel('Your question').waitFor()
    expect(browser.page.url()).not.toContain(token)
    await browser.page.keyboard.type(question)
    await browser.page.keyboard.press('Enter')
    await browser.answer.waitFor()
    await browser.page.keyboard.press('j')
    await browser.proof.locator('mark').waitFor()
    expect(await browser.proof.locator('mark').textContent()).toContain('412 degrees')
    expect(browser.page.url()).toMatch(/\/#\/runs\/[\w-]+\/1$/)
    await browser.page.keyboard.press('Escape')
    await browser.proof.locator('mark').waitFor({ state: 'detached' })
    await browser.page.keyboard.press('Enter')
    await browser.proof.locator('mark').waitFor()
    expect(browser.page.url()).toMatch(/\/1\/1$/)
    await browser.page.keyboard.press('?')
    await browser.page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await browser.page.keyboard.press('Escape')
  })

  it('asks, has a plan approved and opens a number, by mouse', async () => {
    await browser.page.getByLabel('Your question').fill(question)
    await browser.page.getByLabel('Show me the plan').check()
    await browser.page.getByRole('button', { name: 'Ask', exact: true }).click()
    await browser.page.getByRole('heading', { name: 'Is this plan right?' }).waitFor()
    expect(await browser.page.title()).toContain('Question for you')
    await browser.page.getByRole('button', { name: 'Approve the plan' }).click()
    await browser.answer.getByRole('button').first().click()
    await browser.proof.locator('mark').waitFor()
    await browser.page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await browser.page.getByText('Reference list').click()
    await browser.page.locator('pre', { hasText: 'Glimmerstone' }).waitFor()
  })

  it('shows the same after a reload in mid-run, and the answer when it comes', async () => {
    browser.held.hold()
    await browser.page.getByLabel('Your question').fill(question)
    await browser.page.keyboard.press('Enter')
    const rows = browser.page.getByRole('list', { name: 'The work' })
    await rows.getByText('in progress').waitFor()
    const before = await rows.innerText()
    await browser.page.reload()
    await rows.getByText('in progress').waitFor()
    expect(await rows.innerText()).toBe(before)
    browser.held.letGo()
    await browser.answer.waitFor()
  })

  it('shows a run on when the server was stopped and another was started in mid-run', async () => {
    browser.held.hold()
    await browser.page.getByLabel('Your question').fill(question)
    await browser.page.keyboard.press('Enter')
    await browser.page.getByRole('list', { name: 'The work' }).getByText('in progress').waitFor()
    const port = Number(new URL(browser.served.url).port)
    await browser.served.stop()
    await browser.page.getByText('The connection is lost').waitFor()
    const handler = createHandler(browser.served.openApp(browser.held.options), { token })
    const listening = await listen(handler, { port })
    browser.held.letGo()
    await handler.continueRuns()
    await browser.answer.waitFor()
    browser.forgiveFailedRequests()
    await browser.page.close()
    await listening.close()
  })

  it('stops, resumes, finds, opens and deletes runs', async () => {
    browser.held.hold()
    await browser.page.getByLabel('Your question').fill(question)
    await browser.page.keyboard.press('Enter')
    await browser.page.getByRole('button', { name: 'Stop', exact: true }).click()
    browser.held.letGo()
    await browser.page.getByRole('button', { name: 'Resume' }).click()
    await browser.answer.waitFor()
    await browser.page.getByRole('link', { name: 'Runs' }).click()
    await browser.page.getByLabel('Filter').fill('nothing like it')
    await browser.page.getByText('No run matches.').waitFor()
    await browser.page.getByLabel('Filter').fill('glimmer answered')
    await browser.page.getByRole('link', { name: question }).press('Enter')
    await browser.answer.waitFor()
    await browser.page.goBack()
    await browser.page.getByRole('button', { name: 'Delete' }).click()
    await browser.page.getByRole('button', { name: 'Delete for good?' }).click()
    await browser.page.getByText('There are no runs yet.').waitFor()
  })

  it('shows hostile text as the text that it is', async () => {
    browser.served.write(
      'trap.md',
      '# Trap\n\nZorbium is <img src="https://evil.example/x" onerror="alert(1)"> a <script>alert(2)</script> metal.\n',
    )
    const app = browser.served.openApp()
    await Array.fromAsync(app.addToLibrary(['trap.md']))
    await browser.page
      .getByLabel('Your question')
      .fill('What is zorbium <img src=https://evil.example/y>?')
    await browser.page.keyboard.press('Enter')
    await browser.page.getByRole('heading', { name: '<img src=https://evil.example/y>' }).waitFor()
    await browser.page.getByText('How it came about').waitFor()
    expect(await browser.page.locator('img, main script').count()).toBe(0)
  })

  it('has no fault that axe finds, light and dark, narrow and wide', async () => {
    const { body } = await browser.served.finish({ workflow: 'ask', question })
    const places = ['#/', '#/runs', '#/library', `#/runs/${body.runId}`, `#/runs/${body.runId}/1`]
    const isShown = () => browser.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await browser.findFaults(places, isShown)).toEqual([])
  })
})
