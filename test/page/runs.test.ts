import { describe, expect, it } from 'vitest'
import { diffWords } from '../../web/src/compare/word-diff.ts'
import { question } from '../server/served-app.ts'
import { isBrowserMissing, usePage } from './page-scene.ts'

const other = 'What is emberglass?'

describe.skipIf(isBrowserMissing)('the runs on the page (needs Chromium)', () => {
  const scene = usePage()
  const table = () => scene.page.getByRole('table', { name: 'Runs' })
  const bar = () => scene.page.getByRole('region', { name: 'Chosen runs' })

  /** Two questions, of which the second has another source. */
  async function askTwice(): Promise<readonly [string, string]> {
    const { served } = scene
    served.write(
      'emberglass.md',
      '# Emberglass\n\nEmberglass is a glass that glows for 90 hours.\n',
    )
    await Array.fromAsync(served.openApp().addToLibrary(['emberglass.md']))
    const first = await served.finish({ workflow: 'ask', question })
    const second = await served.finish({ workflow: 'ask', question: other })
    return [first.body.runId, second.body.runId]
  }

  it('are filtered, chosen and compared by keyboard alone, also after a reload', async () => {
    const { page } = scene
    const [first, second] = await askTwice()
    await scene.goTo('#/runs')
    await table().getByRole('link', { name: question }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('glimmer')
    await table().getByRole('link', { name: other }).waitFor({ state: 'detached' })
    await page.reload()
    await table().getByRole('link', { name: question }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await table().getByRole('link', { name: other }).focus()
    await page.keyboard.press(' ')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    await bar().getByText('2 chosen:').waitFor()
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'Two runs compared' }).waitFor()
    expect(page.url()).toContain(`#/compare/${second}/${first}`)
    await page.reload()
    await page.getByText('2 of 2 sentences differ.').waitFor()
    await page.keyboard.press('j')
    const row = page.locator('tr:focus')
    expect(await row.innerText()).toContain('− Emberglass')
    expect(await row.innerText()).toContain('says nothing like it')
    await page.getByRole('heading', { name: 'Only in the second' }).waitFor()
  })

  it('show how their claims stand, and are replayed, forked and deleted by mouse', async () => {
    const { page } = scene
    const [runId] = await askTwice()
    await page.getByRole('link', { name: 'Runs' }).click()
    await table().getByRole('img', { name: '1 hold' }).first().waitFor()
    await page.getByLabel('Status').selectOption('failed')
    await page.getByText('No run matches.').waitFor()
    await page.getByLabel('Status').selectOption('')
    await page.getByLabel(`Choose: ${question}`).check()
    await bar().getByRole('button', { name: 'Replay' }).click()
    await bar().getByText('the same result').waitFor()
    await bar().getByRole('button', { name: 'Fork' }).click()
    const dialog = page.getByRole('dialog', { name: 'Fork this run' })
    await dialog.getByRole('option', { name: /planner\[1\]/ }).waitFor({ state: 'attached' })
    await dialog.getByLabel('From').selectOption('ask/planner[1]')
    await dialog.getByLabel('Changes of its state').fill('question.files = ["/etc/passwd"]')
    await dialog.getByRole('button', { name: 'Start the fork' }).click()
    await dialog.getByText('cannot be changed by a request').waitFor()
    await dialog.getByLabel('Changes of its state').fill('')
    await dialog.getByLabel('Question').fill(other)
    await dialog.getByRole('button', { name: 'Start the fork' }).click()
    await page.getByRole('article', { name: 'Answer' }).getByText('90 hours').waitFor()
    await page.goBack()
    await page.getByLabel(`Choose: ${other}`).first().check()
    await bar().getByRole('button', { name: 'Delete' }).click()
    await bar().getByRole('button', { name: 'Delete for good?' }).click()
    await bar().getByText('Deleted.').waitFor()
    expect(await scene.served.openApp().listRuns()).toHaveLength(2)
    expect((await scene.served.call('get', `/api/runs/${runId}`)).status).toBe(200)
    // The refused change is told as an error by the browser too.
    scene.faults = scene.faults.filter((fault) => !fault.includes('403'))
  })

  it('have no fault that axe finds, light and dark, narrow and wide', async () => {
    const [first, second] = await askTwice()
    expect(await scene.findFaults(['#/runs', `#/compare/${first}/${second}`])).toEqual([])
  })
})

it('words that only one of two texts has are found', () => {
  const text = (pieces: readonly { text: string; isSame: boolean }[]) =>
    pieces.map((piece) => (piece.isSame ? piece.text : `<${piece.text}>`)).join('')
  const [first, second] = diffWords(
    'It glows for 90 hours at night.',
    'It glows for up to 90 days.',
  )
  expect(text(first)).toBe('It glows for 90 <hours at night.>')
  expect(text(second)).toBe('It glows for <up to >90 <days.>')
})
