import { describe, expect, it } from 'vitest'
import { findExceededLimit } from './dom.ts'
import { htmlToText } from './html-to-text.ts'

describe('the limits of a page', () => {
  it.each([
    ['nests 100,000 elements', () => '<div>'.repeat(100_000), 'nested'],
    ['nests elements that look closed', () => '<div/>'.repeat(100_000), 'nested'],
    ['nests elements in a drawing', () => `<svg><desc>${'<a/>'.repeat(9_000)}`, 'nested'],
    ['leaves 50 MB of links open', () => '<a>'.repeat(16_700_000), 'characters'],
    ['leaves 5 MB of links open', () => '<a>'.repeat(1_700_000), 'nested'],
    ['has a million elements', () => '<p>x</p>'.repeat(1_000_000), 'tags'],
    ['closes what was never opened', () => `<div>${'</b>'.repeat(1_000_000)}`, 'tags'],
    ['is nothing but open brackets', () => '<'.repeat(1_000_000), 'tags'],
    ['has an element of 100,000 attributes', () => `<p ${'a b=1 '.repeat(50_000)}>`, 'attributes'],
    ['has a million entities', () => '&lt;'.repeat(1_000_000), 'entities'],
  ])('refuse one that %s', async (_what, page, named) => {
    const read = await htmlToText(page())
    expect(read).toMatchObject({ reason: 'too_large', detail: expect.stringContaining(named) })
  })

  it.each([
    ['nests as deep as pages do', `${'<div>'.repeat(390)}<p>deep</p>`],
    ['leaves out end tags that HTML lets be left out', `<ul>${'<li>a'.repeat(5_000)}`],
    ['leaves out the ends of rows and cells', `<table>${'<tr><td>a<td>b'.repeat(5_000)}`],
    [
      'has tags in quotes, scripts and comments',
      `<p title="${'<b>'.repeat(9_000)}"><script>${'<b>'.repeat(9_000)}</script><!--${'<b>'.repeat(9_000)}-->`,
    ],
    ['has many lines and pictures', '<br><img src=x />'.repeat(5_000)],
    ['has shapes that close themselves', `<svg>${'<path d="m0"/>'.repeat(5_000)}</svg>`],
  ])('let one pass that %s', (_what, page) => {
    expect(findExceededLimit(page)).toBeUndefined()
  })
})
