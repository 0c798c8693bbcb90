import type { Page } from 'playwright-core'

/** Drops files on the page, as a hand does. @param files their texts by name */
export async function dropFiles(
  page: Page,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const script = `(() => {
    const transfer = new DataTransfer()
    for (const [name, text] of Object.entries(${JSON.stringify(files)}))
      transfer.items.add(new File([text], name))
    return transfer
  })()`
  const dataTransfer = await page.evaluateHandle(script)
  await page.dispatchEvent('h1', 'drop', { dataTransfer })
}
