import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { AppOptions } from '../../src/index.ts'
import type { HandlerOptions } from '../../src/server/index.ts'
import { findChromium } from '../papers/chromium.ts'
import { HeldModel, ServedApp } from '../server/served-app.ts'
import { buildPage } from './built-page.ts'

const executablePath = findChromium()

/** Whether no browser is installed. */
export const isBrowserMissing = executablePath === undefined

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The token of the server that shows the page. */
export const token = 'token-of-the-tests'

/** The page in Chromium and the server that shows it, both new for each test. */
export class PageScene {
  readonly held = new HeldModel()
  browser: Browser | undefined
  private opened: { context: BrowserContext; served: ServedApp; page: Page } | undefined
  /** Errors of the page, and requests to other hosts: a test fails if there are any at its end. */
  faults: string[] = []

  get page(): Page {
    return this.now.page
  }

  get served(): ServedApp {
    return this.now.served
  }

  private get now() {
    if (this.opened === undefined) throw new Error('The page is not open yet.')
    return this.opened
  }

  /** Opens the page. @param options of the server; they may write its files @param models default: a scripted model */
  async open(options: (served: ServedApp) => HandlerOptions, models?: AppOptions): Promise<void> {
    this.faults = []
    const served = new ServedApp()
    await served.start(options(served), models ?? this.held.options)
    const context = (await this.browser?.newContext({
      viewport: { width: 1280, height: 800 },
    })) as BrowserContext
    await context.route('**/*', (route) => {
      if (route.request().url().startsWith(served.url)) return route.continue()
      this.faults.push(`asked ${route.request().url()}`)
      return route.abort()
    })
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => this.faults.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(message.text())
    })
    await page.goto(`${served.url}/#token=${token}`)
    this.opened = { context, served, page }
  }

  async close(): Promise<void> {
    this.held.letGo()
    await this.opened?.context.close()
    await this.opened?.served.close()
    expect(this.faults).toEqual([])
  }

  /** Goes to a place of the page, such as `#/runs`. */
  async goTo(place: string): Promise<void> {
    await this.page.goto(`${this.served.url}/${place}`)
  }

  /**
   * What axe finds at these places in light and dark, narrow and wide, and which are wider than the window.
   * @param shown what is there when a place is shown
   */
  async findFaults(
    places: readonly string[],
    shown: () => Locator = () => this.page.getByRole('heading', { level: 1 }),
  ): Promise<readonly string[]> {
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [320, 1280]) {
        // Colours that still change from one scheme to the other have no contrast.
        await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await this.page.setViewportSize({ width, height: 800 })
        for (const place of places) {
          await this.goTo(place)
          await shown().waitFor()
          const here = await this.faultsHere()
          found.push(...here.map((fault) => `${place} ${colorScheme} ${width}: ${fault}`))
        }
      }
    return found
  }

  /** What axe finds now, and whether the page is wider than the window. */
  async faultsHere(): Promise<readonly string[]> {
    const { page } = this
    await page.evaluate(axe)
    const found = await page.evaluate<string[]>(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html.slice(0, 120)))',
    )
    const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    return isTooWide ? [...found, 'is wider than the window'] : found
  }
}

/** Opens the page for each test of a `describe` block. @param options of the server @param models default: a scripted model */
export function usePage(
  options: (served: ServedApp) => HandlerOptions = () => ({}),
  models?: AppOptions,
): PageScene {
  const scene = new PageScene()
  beforeAll(async () => {
    await buildPage()
    await scene.held.start()
    scene.browser = await chromium.launch({ ...(executablePath && { executablePath }) })
  })
  afterAll(async () => {
    await scene.browser?.close()
    await scene.held.model?.close()
  })
  beforeEach(() => scene.open(options, models))
  afterEach(() => scene.close())
  return scene
}
