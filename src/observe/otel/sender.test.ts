import { describe, expect, it } from 'vitest'
import type { OtelSpan } from './otel-span.ts'
import { SpanSender } from './sender.ts'

const span = (spanId: string): OtelSpan => ({
  traceId: 't',
  spanId,
  parentId: null,
  name: spanId,
  isClient: false,
  startMs: 0,
  endMs: 1,
  attributes: {},
  events: [],
  links: [],
})

/** A sender to something that takes batches as `send` does. */
function senderTo(send: (spans: readonly OtelSpan[]) => Promise<void>) {
  const told: string[] = []
  const sender = new SpanSender({
    destination: { form: 'otlp', url: 'http://me:secret@h:1/v1/traces', headers: {}, timeoutMs: 1 },
    load: async () => ({ send, close: () => {} }),
    warn: (text) => told.push(text),
  })
  return { sender, told }
}

describe('SpanSender', () => {
  it('sends everything once, in order, in batches that do not overlap', async () => {
    const seen: string[] = []
    let under = 0
    const { sender, told } = senderTo(async (spans) => {
      expect(++under).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 1))
      expect(spans.length).toBeLessThanOrEqual(512)
      seen.push(...spans.map(({ spanId }) => spanId))
      under--
    })
    const ids = Array.from({ length: 2_000 }, (_, index) => `s${index}`)
    for (const id of ids) sender.add(span(id))
    await sender.close(5_000)
    expect(seen).toEqual(ids)
    expect([sender.sentCount, sender.lostCount, told]).toEqual([2_000, 0, []])
  })

  it('keeps a bounded number while nothing is taken, and tells once that it drops the rest', async () => {
    const { sender, told } = senderTo(() => new Promise(() => {}))
    for (let index = 0; index < 20_000; index++) sender.add(span(`s${index}`))
    expect(sender.lostCount).toBeGreaterThan(11_000)
    await sender.close(10)
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('http://h:1')
    expect(told[0]).not.toContain('secret')
  })

  it('continues after a batch that was refused', async () => {
    let posts = 0
    const { sender, told } = senderTo(async () => {
      if (++posts === 1) throw new Error('it answered 500')
    })
    sender.add(span('a'))
    await sender.flush()
    sender.add(span('b'))
    await sender.close(1_000)
    expect([sender.sentCount, sender.lostCount]).toEqual([1, 1])
    expect(told).toEqual([expect.stringContaining('it answered 500')])
  })
})
