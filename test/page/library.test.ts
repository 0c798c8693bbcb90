import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TokenFile } from '../../src/server/index.ts'
import { dropFiles } from './drop-files.ts'
import { isBrowserMissing, usePage } from './page-scene.ts'

describe.skipIf(isBrowserMissing)('the library in a browser (needs Chromium)', () => {
  const scene = usePage()
  const row = (list: string, text: string) =>
    scene.page.getByRole('region', { name: list }).getByRole('listitem').filter({ hasText: text })

  async function drop(files: Readonly<Record<string, string>>): Promise<void> {
    await scene.page.getByText('Drop files or folders').waitFor()
    await dropFiles(scene.page, files)
  }

  it('adds many dropped files, says why one is refused until that is dismissed, opens and removes one', async () => {
    const { page } = scene
    await scene.goTo('#/library')
    const notes = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [
        `note-${n}.md`,
        `# Note ${n}\n\nZorbium has ${n} arms.\n`,
      ]),
    )
    let most = 0
    let open = 0
    await page.route('**/api/library?name=*', async (route) => {
      most = Math.max(most, ++open)
      const response = await route.fetch()
      open--
      await route.fulfill({ response })
    })
    await drop({ ...notes, 'broken.pdf': '%PDF-1.7 broken' })
    await page.getByText('10 of 10 done', { exact: true }).waitFor()
    expect(most).toBeLessThanOrEqual(3)
    const refused = row('Files being added', 'broken.pdf')
    expect(await refused.innerText()).toMatch(/refused[\s\S]*PDF/)
    await page.getByRole('button', { name: 'Dismiss what is done' }).click()
    await page.getByRole('link', { name: 'Ask' }).click()
    await page.getByRole('link', { name: 'Library', exact: true }).click()
    await refused.getByRole('button', { name: 'Dismiss: broken.pdf' }).click()
    expect(await page.getByText('broken.pdf').count()).toBe(0)
    await page.getByRole('link', { name: 'Note 7' }).click()
    await page.getByText('Zorbium has 7 arms.').waitFor()
    await page.goBack()
    await row('Sources', 'Note 7').getByRole('button', { name: 'Remove: Note 7' }).click()
    await page.keyboard.press('Enter')
    await row('Sources', 'Note 7').waitFor({ state: 'detached' })
    await row('Sources', 'Note 8').waitFor()
  })

  it('keeps a file that did not arrive, so that it can be tried again', async () => {
    const { page } = scene
    await scene.goTo('#/library')
    await page.route('**/api/library?name=*', (route) => route.abort('connectionreset'), {
      times: 1,
    })
    await drop({ 'later.md': '# Later\n\nIt arrives later.\n' })
    await page.getByText('Nothing of it was kept').waitFor()
    scene.faults = scene.faults.filter((fault) => !fault.includes('Failed to load resource'))
    await page.getByRole('button', { name: 'Try again: later.md' }).click()
    await row('Sources', 'Later').waitFor()
  })

  it('finds passages and opens one at its place, by keyboard alone', async () => {
    const { page } = scene
    await scene.goTo('#/library')
    await page.getByRole('heading', { name: 'Library' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('melts degrees')
    await page.getByText('1 passage, best first').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('article mark').waitFor()
    expect(await page.locator('article mark').textContent()).toContain('412 degrees')
    expect(page.url()).toMatch(/#\/library\/[0-9a-f]{64}\/\d+-\d+$/)
    await scene.goTo(`#/library/${'0'.repeat(64)}`)
    await page.getByText('There is no such source in the library').waitFor()
    scene.faults = scene.faults.filter((fault) => !fault.includes('404'))
  })

  it('offers whoever may not change the library no way to do so', async () => {
    const { page, served } = scene
    const reader = new TokenFile(join(served.folder, 'home')).add('reader', 'read')
    await page.evaluate(
      `for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, ${JSON.stringify(reader)})`,
    )
    await scene.goTo('#/library')
    await page.reload()
    await page.getByText('Your token may read the library.').waitFor()
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Skip to the content'])
  })

  it('shows hostile names and texts as the text that they are, without faults that axe finds', async () => {
    const { page, served } = scene
    const image = '<img src=https://evil.example/x onerror=alert(1)>'
    await scene.goTo('#/library')
    await drop({
      [`${'x'.repeat(150)} ${image.replaceAll('/', '')}.md`]: `# ${image}\n\n${image} trap ${'y'.repeat(500)}\n`,
      'broken.pdf': 'no PDF at all'.repeat(3),
    })
    await page.getByText('2 of 2 done', { exact: true }).waitFor()
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await scene.faultsHere()).toEqual([])
    await page.getByLabel('Find passages').fill('trap')
    await page.getByText('1 passage').waitFor()
    expect(await scene.faultsHere()).toEqual([])
    await page.getByRole('link', { name: image }).click()
    await page.locator('article mark').waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    const { body } = await served.call('get', '/api/library')
    const places = ['#/library', ...body.sources.map(({ id }: { id: string }) => `#/library/${id}`)]
    expect(await scene.findFaults(places)).toEqual([])
  })
})
