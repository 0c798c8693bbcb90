import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { papersHtml } from '../../src/papers/report/papers-html.ts'
import type { ReportInput } from '../../src/papers/report/report-facts.ts'
import { findChromium } from './chromium.ts'
import { hostileTexts, moreHostileTexts, withTexts } from './hostile-texts.ts'
import { reportInput } from './report-input.ts'

const executablePath = findChromium()

describe.skipIf(executablePath === undefined)(
  'the page of a synthesis in a browser (needs Chromium: SCHOLIUM_CHROMIUM, or on the PATH)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'papers-page-'))
    let browser: Browser
    beforeAll(async () => {
      browser = await chromium.launch({ ...(executablePath && { executablePath }) })
    })
    afterAll(async () => {
      await browser?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** Opens a page and tells all that it says or asks for. */
    async function open(input: ReportInput, options: BrowserContextOptions = {}) {
      const file = join(folder, 'report.html')
      writeFileSync(file, papersHtml(input))
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options })
      const heard: string[] = []
      page.on('console', (message) => heard.push(`console: ${message.text()}`))
      page.on('pageerror', (error) => heard.push(`error: ${error.message}`))
      page.on('dialog', (dialog) => heard.push(`dialog: ${dialog.message()}`))
      page.on('request', (request) => heard.push(`request: ${request.url()}`))
      const address = pathToFileURL(file).href
      await page.goto(address)
      return { page, heard, own: [`request: ${address}`] }
    }

    it('asks for nothing but itself, and says nothing on the console', async () => {
      const { page, heard, own } = await open(reportInput())
      await page.waitForTimeout(200)
      expect(heard.filter((one) => !one.includes('data:,'))).toEqual(own)
      await page.close()
    })

    it('sorts the papers by each head, both ways, with the unknown last', async () => {
      const { page } = await open(reportInput())
      const table = page.locator('table.papers')
      const column = (name: string) =>
        table
          .locator(`td[data-name="${name}"]`)
          .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-value')))
      await table.getByRole('button', { name: 'Confidence' }).click()
      expect(await column('Confidence')).toEqual([
        '0.31',
        '0.66',
        '0.79',
        '0.88',
        '0.91',
        '0.94',
        '',
        '',
      ])
      await table.getByRole('button', { name: 'Confidence' }).press('Enter')
      expect(await column('Confidence')).toEqual([
        '0.94',
        '0.91',
        '0.88',
        '0.79',
        '0.66',
        '0.31',
        '',
        '',
      ])
      expect(
        await table.getByRole('columnheader', { name: 'Confidence' }).getAttribute('aria-sort'),
      ).toBe('descending')
      await table.getByRole('button', { name: 'Paper' }).click()
      const titles = await column('Paper')
      expect(titles).toEqual(
        titles.toSorted((one, other) => (one ?? '').localeCompare(other ?? '')),
      )
      await page.close()
    })

    it.each([
      ['with', true],
      ['without', false],
    ])('lands on the evidence of every link, %s its script', async (_, javaScriptEnabled) => {
      const { page } = await open(reportInput(), {
        javaScriptEnabled,
        reducedMotion: 'reduce',
      })
      const hrefs = await page
        .locator('main a[href^="#"]')
        .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href') ?? ''))])
      expect(hrefs.length).toBeGreaterThan(40)
      const hidden: string[] = []
      for (const href of hrefs) {
        await page.goto(page.url().replace(/#.*$/, '') + href)
        const target = page.locator(`[id="${href.slice(1)}"]`)
        if (!(await target.isVisible()) || !(await isInView(target))) hidden.push(href)
      }
      expect(hidden).toEqual([])
      await page.close()
    })

    it('leads from a cell of the matrix to the place that shows it', async () => {
      const { page } = await open(reportInput())
      const cell = page.getByRole('link', {
        name: 'Herrera et al. 2024 disputes it, unchecked: see the evidence',
      })
      await cell.click()
      const target = page.locator(':target')
      expect(await target.textContent()).toContain('14% of the statements that cite a passage')
      expect(await page.locator('table.matrix a.cell').count()).toBe(15)
      expect(await page.locator('table.matrix').getByText('not mentioned').count()).toBe(
        10 * 5 - 15,
      )
      await page.close()
    })

    it('opens what is said of a paper, by a click and by the keyboard', async () => {
      const { page } = await open(reportInput())
      const paper = page.locator('#paper-1')
      const finding = paper.getByText('Retrieval cuts unsupported statements to a third.')
      expect(await finding.isVisible()).toBe(false)
      await paper.locator('summary').click()
      expect(await finding.isVisible()).toBe(true)
      await paper.locator('summary').press('Enter')
      expect(await finding.isVisible()).toBe(false)
      await page.close()
    })

    it.each([360, 768, 1400])('is not wider than a window of %i pixels', async (width) => {
      for (const input of [reportInput(), withTexts(reportInput(), ['wide'.repeat(60)])]) {
        const { page } = await open(input, { viewport: { width, height: 800 } })
        await openAll(page)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        await page.close()
      }
    })

    it.each(['light', 'dark'] as const)('can be read in %s colours', async (colorScheme) => {
      const { page } = await open(reportInput(), { colorScheme })
      await openAll(page)
      expect(await page.evaluate(faintTexts)).toEqual([])
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(background).toBe(colorScheme === 'dark' ? 'rgb(21, 23, 26)' : 'rgb(250, 249, 246)')
      await page.close()
    })

    it('has headings in order, and a name for whatever can be used', async () => {
      const { page } = await open(reportInput())
      await openAll(page)
      const levels = await page
        .locator('h1, h2, h3, h4, h5, h6')
        .evaluateAll((all) => all.map((one) => Number(one.tagName[1])))
      expect(levels[0]).toBe(1)
      expect(levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1)).toEqual([])
      expect(levels.filter((level) => level === 1)).toHaveLength(1)
      const nameless = await page
        .locator('a, button, summary, [role=img], [role=region], nav')
        .evaluateAll((all) =>
          all
            .filter((one) => !(one.getAttribute('aria-label') ?? one.textContent ?? '').trim())
            .map((one) => one.outerHTML),
        )
      expect(nameless).toEqual([])
      expect(await page.locator('table:not(:has(caption))').count()).toBe(0)
      expect(await page.locator('th:not([scope])').count()).toBe(0)
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the summary')
      await page.close()
    })

    it('unfolds all for print', async () => {
      const { page } = await open(reportInput())
      await page.evaluate("dispatchEvent(new Event('beforeprint'))")
      expect(await page.locator('details:not([open])').count()).toBe(0)
      await page.evaluate("dispatchEvent(new Event('afterprint'))")
      expect(await page.locator('details[open]').count()).toBe(0)
      await page.close()
    })

    it('runs and loads nothing of hostile texts', async () => {
      const data = process.env.SCHOLIUM_DATA
      const texts = [...hostileTexts, ...(data ? moreHostileTexts(data) : [])]
      for (let at = 0; at < texts.length; at += 120) {
        const some = texts.slice(at, at + 120)
        const input = withTexts(reportInput(), some)
        const { page, heard, own } = await open({
          ...input,
          answer: some.slice(0, 40).join('\n\n'),
          claims: [],
        })
        await openAll(page)
        expect(heard.filter((one) => !one.includes('data:,'))).toEqual(own)
        expect(await page.locator('script').count()).toBe(1)
        expect(
          await page.locator('img, iframe, object, embed, form, input, audio, video, base').count(),
        ).toBe(0)
        const handlers =
          'document.evaluate("count(//@*[starts-with(name(), \'on\')])", document).numberValue'
        expect(await page.evaluate(handlers)).toBe(0)
        await page.close()
      }
    })
  },
)

async function openAll(page: Page): Promise<void> {
  await page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
}

/** Asked from outside: where scripts are off, the page has no timers. */
async function isInView(target: Locator): Promise<boolean> {
  for (let turn = 0; turn < 40; turn++) {
    const box = await target.boundingBox()
    if (box !== null && box.y < 900 && box.y + box.height > 0) return true
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return false
}

/** Texts whose contrast to what is behind them is below that of WCAG 2.2 AA. */
const faintTexts = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
  const rgba = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data] }
  const light = (color) => { const [r, g, b] = color.map((v) => (v / 255 <= .04045 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4)); return .2126 * r + .7152 * g + .0722 * b }
  const behind = (element) => { for (let at = element; at; at = at.parentElement) { const color = rgba(getComputedStyle(at).backgroundColor); if (color[3] > 0) return color } return [255, 255, 255, 255] }
  const faint = new Set()
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && /[\\p{L}\\p{N}]/u.test(node.data))
    if (!own || !element.checkVisibility() || element.closest('[aria-hidden=true], script, .unseen')) continue
    let opacity = 1
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity)
    const back = behind(element)
    const text = rgba(getComputedStyle(element).color).map((v, i) => v * opacity + back[i] * (1 - opacity))
    const [one, two] = [light(text), light(back)]
    const contrast = (Math.max(one, two) + .05) / (Math.min(one, two) + .05)
    if (contrast < 4.5) faint.add(element.tagName + '.' + element.className + ' ' + contrast.toFixed(2))
  }
  return [...faint]
})()`
