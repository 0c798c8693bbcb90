// Measures the page in Chromium with a run of 100,000 events and as many runs as wanted, and fails above the limits:
// npm run build && node tools/page-speed.ts [EVENTS] [RUNS]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { createApp, currentOwner, openRunStore } from '../src/index.ts'
import type { Hash } from '../src/kernel/json.ts'
import type { NewEvent } from '../src/kernel/run/event.ts'
import { createHandler, listen } from '../src/server/index.ts'
import { buildPage } from '../test/page/built-page.ts'
import { findChromium } from '../test/papers/chromium.ts'

const [eventCount = 100_000, runCount = 1_000] = process.argv.slice(2).map(Number)
const token = 'token-of-the-measurement'
const maxTypingMs = 50
const runId = '20260101-large0'

/** What a browser felt while somebody typed or scrolled, in milliseconds. */
interface Felt {
  /** The longest time from a key to the next frame. */
  readonly keyMs: number
  readonly frameMs: number
  readonly worstFrameMs: number
}

const eventMs = 10
const perNode = 40
const usage = { inputTokens: 900, outputTokens: 80, costUsd: 0.001 }
const messages = { count: 0, chain: '', added: [] }
const input = { model: 'ollama:large', role: 'researcher', settings: {}, messages }

/** The events of a large run: model calls, tool calls, turns and nodes. */
function* largeRun(count: number): Generator<NewEvent> {
  const configuration = { models: { default: 'ollama:large' } }
  const versions = { package: '0', workflow: '1' }
  const conditions = { versions, promptHashes: {}, configuration, limits: {} }
  const data = { workflow: 'ask', seed: 'seed', ...conditions }
  yield { key: '', type: 'run.started', data, output: { question: 'Large?' }, ts: 0 }
  for (let index = 0; index < count - 2; index++) yield workEvent(index)
  const output = { schema: 'scholium.answer/1' }
  yield { key: '', type: 'run.finished', data: { status: 'answered' }, output, ts: count * eventMs }
}

function workEvent(index: number): NewEvent {
  const node = `ask/researcher[${Math.floor(index / perNode) + 1}]`
  const turn = `${node}/converse[1]/react/${Math.floor((index % perNode) / 4) + 1}`
  const ts = index * eventMs
  const inputHash = '0'.repeat(64) as Hash
  const facts = { effect: 'read', inputHash, attempt: 1, startedAt: ts - 9 } as const
  if (index % perNode === perNode - 1)
    return { key: node, type: 'node.done', data: { node: 'researcher' }, output: {}, ts }
  const model = { key: `${turn}/model`, ts } as const
  switch (index % 4) {
    case 0:
      return { ...model, type: 'step.started', data: { ...facts, name: 'model' }, output: input }
    case 1:
      return { ...model, type: 'step.done', data: { ...facts, name: 'model', usage }, output: {} }
    case 2: {
      const key = `${turn}/tool[1]:search_library/call`
      return { key, type: 'step.done', data: { ...facts, name: 'call' }, output: {}, ts }
    }
    default:
      return { key: turn, type: 'turn.done', data: { turn: 1 }, ts }
  }
}

/** Writes the runs that are shown. */
async function writeRuns(home: string): Promise<void> {
  mkdirSync(home, { recursive: true })
  const store = openRunStore(join(home, 'runs.db'))
  for (let index = 0; index < runCount; index++) {
    const run = {
      runId: `20250101-${String(index).padStart(7, '0')}`,
      workflow: 'ask',
      title: `Question ${index}`,
      createdAt: index,
    }
    await store.release(await store.create(run, currentOwner()), 'interrupted')
  }
  const run = { runId, workflow: 'ask', title: 'A large run', createdAt: Date.now() }
  const lease = await store.create(run, currentOwner())
  let batch: NewEvent[] = []
  for (const event of largeRun(eventCount)) {
    if (batch.push(event) < 2_000) continue
    await store.append(lease, batch, [], 'normal')
    batch = []
  }
  await store.append(lease, batch, [], 'normal')
  await store.release(lease, 'answered')
  await store.close()
}

/** Records in the page when its first row is there, how long each key takes to the next frame, and the frames. */
const watch = `
  const seen = { firstRowMs: 0, keys: [], frames: [] }
  globalThis.seen = seen
  let before = performance.now()
  const frame = (now) => {
    seen.frames.push(now - before)
    before = now
    if (seen.firstRowMs === 0 && document.querySelector('[data-index]') !== null)
      seen.firstRowMs = performance.now()
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  addEventListener('keydown', ({ timeStamp }) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => seen.keys.push(performance.now() - timeStamp)
    requestAnimationFrame(() => port2.postMessage(''))
  }, { capture: true })
`

async function readFelt(page: Page): Promise<Felt> {
  const { keys, frames } = await page.evaluate<{ keys: number[]; frames: number[] }>(
    '({ keys: seen.keys, frames: seen.frames })',
  )
  const sorted = frames.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { keyMs: Math.max(0, ...keys), frameMs: at(0.5), worstFrameMs: at(0.99) }
}

const forget = (page: Page) => page.evaluate('seen.keys.length = 0; seen.frames.length = 0')

async function type(page: Page, text: string): Promise<Felt> {
  await page.getByRole('searchbox').focus()
  await forget(page)
  await page.keyboard.type(text, { delay: 60 })
  const felt = await readFelt(page)
  await page.getByRole('searchbox').fill('')
  return felt
}

async function scroll(page: Page): Promise<Felt> {
  await page.locator('[data-index]').first().waitFor()
  await forget(page)
  await page.evaluate(`new Promise((resolve) => {
    const box = document.querySelector('[data-index]').closest('ul, [role=rowgroup]')
    const scrolls = box.scrollHeight > box.clientHeight ? box : box.parentElement
    let left = 120
    const step = () => {
      scrolls.scrollTop += 2500
      if (left-- > 0) requestAnimationFrame(step)
      else resolve()
    }
    step()
  })`)
  return readFelt(page)
}

/** Goes to a place as a first visit would, and returns when its first row was there. */
async function visit(page: Page, url: string): Promise<number> {
  await page.goto('about:blank')
  await page.goto(url)
  await page.locator('[data-index]').first().waitFor()
  return page.evaluate<number>('seen.firstRowMs')
}

const folder = mkdtempSync(join(tmpdir(), 'scholium-page-speed-'))
const home = join(folder, 'home')
await writeRuns(home)
await buildPage()
const app = createApp({ home, folder, environment: {} })
const listening = await listen(createHandler(app, { token }), { port: 0 })
const executablePath = findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }) })
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
await page.addInitScript({ content: watch })
await page.goto(`${listening.url}/#token=${token}`)
const round = (ms: number) => `${Math.round(ms)} ms`
const tell = (what: string, { keyMs, frameMs, worstFrameMs }: Felt) =>
  console.log(
    `${what}: frame ${round(frameMs)}, 99 of 100 within ${round(worstFrameMs)}${keyMs > 0 ? `, slowest key ${round(keyMs)}` : ''}`,
  )
const inside = `${listening.url}/#/runs/${runId}/inside`
console.log(`${eventCount} events, first rows: ${round(await visit(page, `${inside}/events`))}`)
const early = await type(page, 'researcher call')
tell('typing while the log is read', early)
await page
  .getByText(`${eventCount.toLocaleString('en')} events`, { exact: true })
  .waitFor({ timeout: 300_000 })
const late = await type(page, 'researcher[1999] model')
tell('typing in the whole log', late)
tell('scrolling through the events', await scroll(page))
console.log(`bars, first rows: ${round(await visit(page, `${inside}/time`))}`)
await page
  .getByText(`${eventCount.toLocaleString('en')} events`, { exact: true })
  .waitFor({ timeout: 300_000 })
tell('scrolling through the bars', await scroll(page))
console.log(`${runCount} runs, first rows: ${round(await visit(page, `${listening.url}/#/runs`))}`)
tell('scrolling through the runs', await scroll(page))
await browser.close()
await listening.close()
await app.close()
rmSync(folder, { recursive: true })
const worstMs = Math.max(early.keyMs, late.keyMs)
console.log(`slowest key: ${round(worstMs)} of ${maxTypingMs} ms`)
if (worstMs > maxTypingMs) process.exitCode = 1
