import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { findChromium } from '../papers/chromium.ts'
import { HeldModel, ServedApp } from '../server/served-app.ts'
import { buildPage } from './built-page.ts'

const executablePath = findChromium()

/** The token of the server of {@link PageInBrowser}. */
export const token = 'token-of-the-tests'

/** The page of a real server in Chromium. Every error in the console and every request elsewhere is a fault of the test. */
export class PageInBrowser {
  readonly held = new HeldModel()
  private browser: Browser | undefined
  private context: BrowserContext | undefined
  served!: ServedApp
  page!: Page
  faults: string[] = []

  /** Starts the browser, and a server and a page for each test of the present suite. */
  constructor() {
    beforeAll(async () => {
      await buildPage()
      await this.held.start()
      this.browser = await chromium.launch({ ...(executablePath && { executablePath }) })
    })
    afterAll(async () => {
      await this.browser?.close()
      await this.held.model?.close()
    })
    beforeEach(async () => {
      this.served = new ServedApp()
      await this.served.start({}, this.held.options)
      this.context = await this.browser?.newContext({ viewport: { width: 1280, height: 800 } })
      this.faults = []
      await this.context?.route('**/*', (route) => {
        if (route.request().url().startsWith(this.served.url)) return route.continue()
        this.faults.push(`asked ${route.request().url()}`)
        return route.abort()
      })
      this.page = await this.open()
    })
    afterEach(async () => {
      this.held.letGo()
      await this.context?.close()
      await this.served.close()
      expect(this.faults).toEqual([])
    })
  }

  /** Opens another page. */
  async open(): Promise<Page> {
    const opened = (await this.context?.newPage()) as Page
    opened.on('pageerror', ({ message }) => this.faults.push(message))
    opened.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(message.text())
    })
    await opened.goto(`${this.served.url}/#token=${token}`)
    return opened
  }

  /** Forgets what a browser reports of requests that the test has fail. */
  forgiveFailedRequests(): void {
    this.faults = this.faults.filter((fault) => !fault.includes('Failed to load resource'))
  }

  get answer() {
    return this.page.getByRole('article', { name: 'Answer' })
  }

  get proof() {
    return this.page.getByRole('complementary', { name: 'Proof' })
  }

  /** What axe finds in places of the page, and which of them are wider than the window: light and dark, narrow and wide. */
  async findFaults(places: readonly string[], isShown: () => Promise<unknown>): Promise<string[]> {
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [320, 1280]) {
        // While colours change, their contrast is that of neither.
        await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await this.page.setViewportSize({ width, height: 800 })
        for (const place of places) {
          await this.page.goto(`${this.served.url}/${place}`)
          await isShown()
          const here = await this.findFaultsHere()
          found.push(...here.map((fault) => `${place} ${colorScheme} ${width}: ${fault}`))
        }
      }
    return found
  }

  private async findFaultsHere(): Promise<readonly string[]> {
    await this.page.evaluate(axe)
    const faults = await this.page.evaluate<string[]>(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html.slice(0, 120)))',
    )
    const isTooWide = await this.page.evaluate('document.documentElement.scrollWidth > innerWidth')
    return isTooWide ? [...faults, 'is wider than the window'] : faults
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Whether there is no Chromium (`SCHOLIUM_CHROMIUM`, or on the PATH). */
export const lacksChromium = executablePath === undefined
