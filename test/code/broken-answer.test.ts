import { afterEach, expect, it } from 'vitest'
import type { Block } from '../../src/cli/terminal/blocks.ts'
import { firstView, hearEvent } from '../../src/cli/terminal/session-view.ts'
import { SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

it('an answer that broke off is closed before the next try begins', async () => {
  world = new SessionWorld()
  const text = 'The first line.\nThe second line, which is longer than one piece.'
  world.say([{ text, cut: { afterChunks: 6, by: 'reset' } }, { text }])
  const session = await (await world.app()).code({}, { onEvent: world.hear })
  await session.send({ kind: 'prompt', text: 'Say it.' })
  await session.close()
  expect(world.model.requests).toHaveLength(2)
  const blocks: Block[] = []
  let view = firstView
  for (const event of world.events) {
    const heard = hearEvent(view, event)
    view = heard.view
    blocks.push(...heard.blocks)
  }
  const texts = blocks.flatMap((block) => ('text' in block ? [block.text] : []))
  const [first, second] = text.split('\n')
  expect(texts).toEqual([first, 'The answer broke off there. It starts again:', first, second])
})
