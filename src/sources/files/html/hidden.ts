import type { DomElement } from './dom.ts'

/** Whether a page says that an element is not to be seen. Style sheets that it loads are not known here. */
export function isHidden(element: DomElement): boolean {
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true
  if (element.localName === 'dialog') return !element.hasAttribute('open')
  const names = element.getAttribute('class')
  if (names !== null && HIDDEN_CLASS.test(names)) return true
  const style = element.getAttribute('style')
  return style !== null && hidesByStyle(style)
}

/** Names that style sheets everywhere give to what only a screen reader says, or nothing. */
const HIDDEN_CLASS =
  /(?:^|\s)(?:sr-only|screen-reader-text|visually-?hidden|(?:is-)?hidden-visually|element-invisible|a11y-hidden|offscreen)(?:\s|$)/i

/** Whether declarations make an element invisible: taken out, transparent, without size, or off the page. */
export function hidesByStyle(declarations: string): boolean {
  return HIDING_STYLE.test(declarations.slice(0, 2_000).replace(/\s+/g, '').toLowerCase())
}

const HIDING_STYLE = new RegExp(
  [
    'display:none',
    'visibility:(?:hidden|collapse)',
    'opacity:0*(?:\\.0*)?%?',
    'font-size:0*(?:\\.0*)?(?:px|r?em|pt|%)?',
    'text-indent:-\\d{3,}\\w*',
    '(?:left|top|right|bottom|margin-left|margin-top):-\\d{4,}\\w*',
    'clip:rect\\((?:[01](?:px)?[,)]){4}',
    'clip-path:inset\\((?:50|100)%\\)',
    'transform:scale\\(0\\)',
    'content-visibility:hidden',
    'color:transparent',
  ]
    .map((declaration) => `(?:^|;)${declaration}(?:!important)?(?=;|$)`)
    .join('|'),
)
