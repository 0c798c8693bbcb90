import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { readPaths } from '../../src/sources/read-files.ts'
import { findChromium } from '../../test/papers/chromium.ts'
import { type MarkerLayout, markerLayouts, orderScore } from './marker-pages.ts'

/** How well a layout's numbered words come out in order, 0 to 1. */
export interface OrderResult {
  readonly name: string
  readonly markers: number
  readonly pages: number
  readonly score: number
}

/** Prints pages of two columns through Chromium and reads them; `undefined` where no Chromium is installed. */
export async function measureOrder(): Promise<readonly OrderResult[] | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'scholium-columns-'))
  try {
    const layouts = markerLayouts()
    const paths = await printed(layouts, folder, executablePath)
    const results: OrderResult[] = []
    for await (const outcome of readPaths(paths.map((path) => ({ path })))) {
      const { name, markers } = layouts[results.length] as MarkerLayout
      if (!outcome.ok) throw new Error(`${name} could not be read`)
      const { text, pages } = outcome.document
      results.push({ name, markers, pages: pages.length, score: orderScore(text, markers) })
    }
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function printed(
  layouts: readonly MarkerLayout[],
  folder: string,
  executablePath: string,
): Promise<readonly string[]> {
  const browser = await chromium.launch({ executablePath })
  try {
    const page = await browser.newPage()
    const paths: string[] = []
    for (const [index, { html }] of layouts.entries()) {
      const path = join(folder, `${index}.pdf`)
      await page.setContent(html)
      await page.pdf({ path, preferCSSPageSize: true })
      paths.push(path)
    }
    return paths
  } finally {
    await browser.close()
  }
}
