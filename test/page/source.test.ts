import { describe, expect, it } from 'vitest'
import { question } from '../server/served-app.ts'
import { isBrowserMissing, usePage } from './page-scene.ts'

describe.skipIf(isBrowserMissing)('the document of a source (needs Chromium)', () => {
  const scene = usePage()
  const answer = () => scene.page.getByRole('article', { name: 'Answer' })
  const proof = () => scene.page.getByRole('complementary', { name: 'Proof' })
  const view = () => scene.page.getByRole('dialog')
  const chosen = () => view().locator('mark[data-chosen]')

  async function ask(): Promise<string> {
    const { body } = await scene.served.finish({ workflow: 'ask', question })
    return body.runId
  }

  it('opens at the passage and goes back to the sentence, by keyboard alone', async () => {
    await scene.goTo(`#/runs/${await ask()}`)
    const { page } = scene
    await answer().waitFor()
    await page.keyboard.press('j')
    await proof().locator('mark').waitFor()
    await page.keyboard.press('o')
    await chosen().waitFor()
    expect(await chosen().textContent()).toContain('412 degrees')
    expect(page.url()).toMatch(/\/1\/1\/open$/)
    await page.reload()
    await chosen().waitFor()
    await page.keyboard.press('Escape')
    await proof().locator('mark').waitFor()
    expect(page.url()).toMatch(/\/1\/1$/)
    expect(await page.locator(':focus').getAttribute('aria-label')).toContain('Source 1')
  })

  it('opens by mouse over the answer in a narrow window, and closes', async () => {
    await scene.page.setViewportSize({ width: 400, height: 700 })
    await scene.goTo(`#/runs/${await ask()}/1/1`)
    await scene.page.getByRole('link', { name: 'Open the document' }).click()
    await chosen().waitFor()
    await scene.page.getByRole('button', { name: 'Back to the answer' }).click()
    await view().waitFor({ state: 'detached' })
    await proof().locator('mark').waitFor()
  })

  it('shows passages and documents without the signs of Markdown', async () => {
    await scene.goTo(`#/runs/${await ask()}/1/1`)
    await proof().getByRole('heading', { name: 'Glimmerstone', level: 3 }).waitFor()
    await scene.page.keyboard.press('o')
    await chosen().waitFor()
    expect(await view().innerText()).not.toContain('#')
  })

  it('has no fault that axe finds', async () => {
    const place = `#/runs/${await ask()}/1/1/open`
    expect(await scene.findFaults([place], chosen)).toEqual([])
  })
})
