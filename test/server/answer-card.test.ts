import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerCard } from '../../src/server/mcp/answer-card.ts'
import { findChromium } from '../papers/chromium.ts'

const executablePath = findChromium()

const hostile = '<img src=x onerror="parent.postMessage(1, \'*\')"><script>parent.evil = 1</script>'
const result = {
  content: [],
  structuredContent: {
    runId: '20261123-4kz9qd',
    workflow: 'ask',
    title: 'q',
    status: 'answered',
    answer: `## Peat\n\nPeat is 90 per cent water [1]. ${hostile}`,
    sources: [
      { n: 1, title: `Peat ${hostile}`, uri: 'scholium://sources/1', place: 'p. 3' },
      { n: 4, title: 'Bogs', uri: 'scholium://sources/2', url: 'https://example.org/bogs' },
      { n: 5, title: 'Trap', uri: 'scholium://sources/3', url: 'javascript:alert(1)' },
    ],
    claims: [
      { text: 'Peat is wet [1].', verdict: 'verbatim', reason: 'Verbatim.', citations: [1] },
      { text: 'Peat sings [4].', verdict: 'not_found', reason: hostile, quote: hostile },
    ],
    missing: ['No file on moss.'],
    isShortened: false,
  },
}

/** A client that shows a page as the extension says, and keeps what it was told. */
const host = `<!doctype html><script>
const told = []
addEventListener('message', ({ data }) => {
  told.push(data)
  const { id, method } = data
  const answer = (message) => frames[0].postMessage({ jsonrpc: '2.0', ...message }, '*')
  if (method === 'ui/initialize')
    answer({ id, result: { protocolVersion: '2026-01-26', hostInfo: {}, hostCapabilities: {}, hostContext: { theme: 'dark' } } })
  if (method === 'ui/notifications/initialized')
    answer({ method: 'ui/notifications/tool-result', params: result })
})
</script>`

describe.skipIf(executablePath === undefined)(
  'the card in a client (needs Chromium: SCHOLIUM_CHROMIUM, or on the PATH)',
  () => {
    let browser: Browser
    let page: Page
    const heard: string[] = []
    beforeAll(async () => {
      browser = await chromium.launch({ ...(executablePath && { executablePath }) })
      page = await browser.newPage()
      page.on('request', (request) => heard.push(request.url()))
      page.on('pageerror', (error) => heard.push(error.message))
      page.on('console', (message) => heard.push(message.text()))
      await page.setContent(
        host.replace(
          '<script>',
          `<script>const result = ${JSON.stringify(result).replaceAll('<', '\\u003c')};`,
        ),
      )
      await page.evaluate(`{
        const frame = document.createElement('iframe')
        frame.setAttribute('sandbox', 'allow-scripts')
        frame.srcdoc = ${JSON.stringify(answerCard)}
        document.body.append(frame)
      }`)
    })
    afterAll(() => browser?.close())

    it('shows the answer, its sources, and first what is not supported', async () => {
      const card = page.frameLocator('iframe')
      await card.getByText('Run 20261123-4kz9qd').waitFor({ timeout: 30_000 })
      expect(await card.locator('h2').allTextContents()).toEqual([
        'Not supported or not checked',
        'Claims',
        'Sources',
        'Missing',
      ])
      expect(await card.locator('summary').textContent()).toBe('1 of 2 claims supported')
      expect(await card.locator('.verdict').allTextContents()).toEqual(['not found', 'verbatim'])
      const numbers = await card
        .locator('ol')
        .evaluate((list: { children: Iterable<{ value: number }> }) =>
          [...list.children].map(({ value }) => value),
        )
      expect(numbers).toEqual([1, 4, 5])
    })

    it('has no text become markup, opens links through the client, and asks for nothing', async () => {
      const card = page.frameLocator('iframe')
      expect(await card.locator('img, li script').count()).toBe(0)
      expect(await card.locator('a').count()).toBe(1)
      expect(await card.locator('a').getAttribute('href')).toBe('https://example.org/bogs')
      await card.getByText('Bogs').click()
      const told = await page.evaluate('told')
      expect(told).toContainEqual(
        expect.objectContaining({
          method: 'ui/open-link',
          params: { url: 'https://example.org/bogs' },
        }),
      )
      expect(told).toContainEqual(
        expect.objectContaining({ method: 'ui/notifications/size-changed' }),
      )
      expect(heard.filter((one) => one !== 'about:srcdoc')).toEqual([])
    })
  },
)
