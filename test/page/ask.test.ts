import { describe, expect, it } from 'vitest'
import { question } from '../server/served-app.ts'
import { dropFiles } from './drop-files.ts'
import { isBrowserMissing, usePage } from './page-scene.ts'

describe.skipIf(isBrowserMissing)('asking in a browser (needs Chromium)', () => {
  const scene = usePage((served) => {
    served.write('files/tower.md', '# Tower\n\nThe lighthouse was built in 1907.\n')
    const defaults = () => ({ ask: { web: true }, papers: {} })
    return { filesFolder: `${served.folder}/files`, defaults }
  })

  it('adds files that are dropped, then asks them; not when one is refused', async () => {
    const { page } = scene
    await page.getByLabel('Your question').fill('How many arms has zorbium?')
    await page.getByText('Drop files anywhere').waitFor()
    await dropFiles(page, { 'broken.pdf': '%PDF-1.7 broken' })
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('Not all files were added').waitFor()
    await dropFiles(page, { 'zorbium.md': '# Zorbium\n\nZorbium is a metal with seven arms.\n' })
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByRole('article', { name: 'Answer' }).waitFor()
    const { body } = await scene.served.call('get', '/api/library')
    expect(body.sources.map(({ title }: { title: string }) => title)).toContain('Zorbium')
  })

  it('says what a question is expected to take, and asks with the sources that were chosen', async () => {
    const { page } = scene
    const askedRequests: string[] = []
    await page.getByText(/^Expected: .*model calls/).waitFor()
    const standard = await page.getByText(/^Expected: /).innerText()
    await page.getByLabel('Quick').check()
    await page.getByText(/^Expected: 2 to/).waitFor()
    expect(await page.getByText(/^Expected: /).innerText()).not.toBe(standard)
    await page.getByText('Files and folders of the server').click()
    await page.getByLabel('Paths in its folder').fill('tower.md')
    await page.getByLabel('Search the web too').uncheck()
    page.on('request', (request) => askedRequests.push(request.postData() ?? ''))
    await page.getByLabel('Your question').fill(question)
    await page.keyboard.press('Enter')
    await page.getByRole('article', { name: 'Answer' }).waitFor()
    const sent = askedRequests.filter((text) => text.includes('"workflow":"ask"'))
    expect(JSON.parse(sent[0] ?? '')).toMatchObject({
      depth: 'quick',
      web: false,
      sources: ['tower.md'],
    })
  })
})

describe.skipIf(isBrowserMissing)('asking without a language model (needs Chromium)', () => {
  const scene = usePage(undefined, { models: {} })

  it('says so, with the commands that set one, without faults that axe finds', async () => {
    const { page } = scene
    await page.getByRole('heading', { name: 'No language model is set' }).waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy: ollama pull' }).click()
    await page.getByText('Copied.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      'scholium serve --model',
    )
    await page.getByText('The web is off at this server').waitFor()
    expect(await scene.findFaults(['#/'])).toEqual([])
  })
})
