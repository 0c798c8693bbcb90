import { describe, expect, it } from 'vitest'
import { question } from '../server/served-app.ts'
import { lacksChromium, PageInBrowser } from './browser.ts'

describe.skipIf(lacksChromium)('the document of a source (needs Chromium)', () => {
  const browser = new PageInBrowser()

  const view = () => browser.page.getByRole('dialog')
  const chosen = () => view().locator('mark[data-chosen]')

  async function ask(): Promise<string> {
    const { body } = await browser.served.finish({ workflow: 'ask', question })
    return body.runId
  }

  it('opens at the passage and goes back to the sentence, by keyboard alone', async () => {
    const runId = await ask()
    await browser.page.goto(`${browser.served.url}/#/runs/${runId}`)
    await browser.answer.waitFor()
    await browser.page.keyboard.press('j')
    await browser.proof.locator('mark').waitFor()
    await browser.page.keyboard.press('o')
    await chosen().waitFor()
    expect(await chosen().textContent()).toContain('412 degrees')
    expect(browser.page.url()).toMatch(/\/1\/1\/open$/)
    await browser.page.reload()
    await chosen().waitFor()
    await browser.page.keyboard.press('Escape')
    await browser.proof.locator('mark').waitFor()
    expect(browser.page.url()).toMatch(/\/1\/1$/)
    const focused = browser.page.locator(':focus')
    expect(await focused.getAttribute('aria-label')).toContain('Source 1')
  })

  it('opens by mouse over the answer in a narrow window, and closes', async () => {
    await browser.page.setViewportSize({ width: 400, height: 700 })
    const runId = await ask()
    await browser.page.goto(`${browser.served.url}/#/runs/${runId}/1/1`)
    await browser.page.getByRole('link', { name: 'Open the document' }).click()
    await chosen().waitFor()
    await browser.page.getByRole('button', { name: 'Back to the answer' }).click()
    await view().waitFor({ state: 'detached' })
    await browser.proof.locator('mark').waitFor()
  })

  it('shows passages and documents without the signs of Markdown', async () => {
    const runId = await ask()
    await browser.page.goto(`${browser.served.url}/#/runs/${runId}/1/1`)
    await browser.proof.getByRole('heading', { name: 'Glimmerstone', level: 3 }).waitFor()
    await browser.page.keyboard.press('o')
    await chosen().waitFor()
    expect(await view().innerText()).not.toContain('#')
  })

  it('has no fault that axe finds', async () => {
    const place = `#/runs/${await ask()}/1/1/open`
    expect(await browser.findFaults([place], () => chosen().waitFor())).toEqual([])
  })
})
