import type { DomElement, DomNode } from './dom.ts'

/** A named part is removed only if it has less than this share of the surrounding prose. */
const maxPrunedShare = 0.25
/** Maximum share of all removed parts together. */
const maxPrunedSum = 0.8
/** Shorter texts, in characters, are not prose but labels, captions and links. */
const minProseChars = 80

/**
 * Removes parts named as boilerplate (navigation, sharing, advertising, bylines), in place. If nearly everything is
 * named so, nothing is removed.
 */
export function pruneNamed(root: DomElement): void {
  const prose = countProseChars(root)
  const named: DomElement[] = []
  let pruned = 0
  const gather = (element: DomElement): void => {
    for (const child of element.children) {
      const chars = isBoilerplate(child) ? countProseChars(child) : Number.POSITIVE_INFINITY
      if (chars <= maxPrunedShare * prose) {
        named.push(child)
        pruned += chars
      } else gather(child)
    }
  }
  gather(root)
  if (pruned > maxPrunedSum * prose) return
  for (const element of named) element.remove()
}

/**
 * Removes from an article, in place: captions without a number, photo credits, labels of missing content, paragraphs
 * that are only a link, and trailing headings.
 */
export function pruneAsides(root: DomElement): void {
  for (const caption of root.querySelectorAll('figcaption,figure cite,[class*="caption"]')) {
    if (!numbered.test(readText(caption)) && countProseChars(caption) < maxCaptionChars)
      caption.remove()
  }
  for (const paragraph of root.querySelectorAll('p,div,span,li,center')) {
    if (isLabel(paragraph) || (paragraph.localName === 'p' && isOnlyLinks(paragraph))) {
      paragraph.remove()
    }
  }
  for (const heading of [...root.querySelectorAll('h1,h2,h3,h4,h5,h6')].reverse()) {
    if (isTextAfter(root, heading)) break
    heading.remove()
  }
}

const maxCaptionChars = 600

/** The part of an article named as its text, if it has nearly all of its prose; else the article. */
export function narrowToBody(root: DomElement): DomElement {
  const least = (1 - maxPrunedShare) * countProseChars(root)
  const bodies = [...root.querySelectorAll('[itemprop],[class],[id]')].filter(
    (element) =>
      bodyProperty.test(element.getAttribute('itemprop') ?? '') ||
      bodyName.test(joinNames(element)),
  )
  return bodies.slice(0, maxBodies).findLast((body) => countProseChars(body) >= least) ?? root
}

const maxBodies = 50
const bodyProperty = /(?:^|\s)(?:articleBody|text|reviewBody)(?:\s|$)/i
const bodyName =
  /(?:^|[\s_-])(?:article|story|post|entry|blog|news|content|single)s?[\s_-]{0,2}(?:body|content|text|copy)(?:$|[\s_-])/i
const numbered =
  /^\s*(?:fig(?:ure|\.)?|table|tab\.|chart|diagram|scheme|abb(?:ildung|\.)|tabelle)\s*\d/i

/** Characters in paragraphs that are sentences, not labels or links. */
export function countProseChars(root: DomElement): number {
  let chars = 0
  for (const element of root.querySelectorAll('p,li,td,pre,blockquote,dd,div,section,article')) {
    chars += countOwnProse(element)
  }
  return chars + countOwnProse(root)
}

/** Prose directly in an element, not in blocks of its own. */
function countOwnProse(element: DomElement): number {
  let chars = 0
  let linked = 0
  for (const child of element.childNodes) {
    const name = child.nodeName.toLowerCase()
    if (blocks.has(name)) continue
    const { length } = (child.textContent ?? '').trim()
    chars += length
    if (name === 'a') linked += length
  }
  return chars >= minProseChars && linked < chars / 2 ? chars : 0
}

const blocks: ReadonlySet<string> = new Set(
  (
    'p li ul ol dl dd dt td tr table tbody pre blockquote div section article aside nav header footer main form figure ' +
    'h1 h2 h3 h4 h5 h6 script style #comment'
  ).split(' '),
)

function isBoilerplate(element: DomElement): boolean {
  if (/^(?:nav|footer|menu|dialog|aside)$/.test(element.localName)) return true
  const role = element.getAttribute('role')
  if (role !== null && boilerplateRole.test(role)) return true
  return boilerplate.test(joinNames(element))
}

/** An element's class and id, with `camelCase` as `camel-Case`. */
function joinNames(element: DomElement): string {
  const names = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`
  return names.slice(0, 500).replace(/([a-z])([A-Z])/g, '$1-$2')
}

const boilerplateRole =
  /^(?:navigation|complementary|contentinfo|search|banner|menu|menubar|toolbar|dialog|alert|alertdialog)$/

/** Whole parts of names; only names that no site uses for its text. */
const boilerplate = new RegExp(
  `(?:^|[\\s_-])(?:${[
    'nav|navbar|navigation|menu|submenu|breadcrumbs?|pagination|pager|toolbar|sidebar',
    'share|sharing|sharebar|social|addthis|sharedaddy|sharethis|follow-?us',
    'ad|ads|advert|adverts|advertisement|advertising|adsense|sponsor|sponsored|promo|promos|promoted|wpcnt',
    'related|recirc|recirculation|recommended|recommendations|read-?(?:more|next|also)|more-?(?:stories|news|on)|outbrain|taboola',
    'trending|popular|most-?(?:read|viewed)|newsletter|subscribe|subscription|signup|sign-?up|cookie|paywall|donate',
    'comments?|disqus|respond|reply|author-?(?:bio|box|info|excerpt|flyout)|about-?(?:the-)?author|bio',
    'byline|dateline|timestamp|published(?:-(?:on|at|date))?|pub-?date|posted-?(?:on|by)|post-?(?:info|meta)|entry-?meta|article-?(?:meta|date)|story-?meta',
    'tags|tag-?list|tagcloud|filed-?under|categories|jp-relatedposts|copyright|disclaimer',
    'print-?(?:only|link)|notification-?(?:bar)?|skip-?(?:link|to)|widget|popup|modal|overlay|lightbox|gallery-?(?:count|nav)|slideshow-?nav',
  ].join('|')})(?:$|[\\s_-])`,
  'i',
)

/** A short line that is a credit or names other content. */
function isLabel(element: DomElement): boolean {
  if ([...element.children].some((child) => blocks.has(child.localName))) return false
  const text = readText(element)
  return text.length < 200 && (label.test(text) || credit.test(text))
}

const label =
  /^[\s\W]*(?:advert(?:isement|isements|ising)?|sponsored|anzeige|werbung|publicité|publicidad|реклама|广告|広告|story continues below|continue reading(?: below)?|article continues below|read more|share(?: this)?(?: article| story| post)?|(?:leave a )?comments?|caption|close|enlarge image|image \d+ of \d+)[\s\W]*$/i
const credit =
  /^(?:photo(?:graph)?|image|picture|credit|foto|bild|fuente|photo credit|image credit)s?\s*[:/|]|\((?:[^()]*\b(?:photo|images?|credit|via)\b|AP|AFP|Reuters|Getty)[^()]*\)$/i

/** Whether the article's text continues after an element. */
function isTextAfter(root: DomElement, element: DomElement): boolean {
  for (let node: DomNode = element; node !== root; node = node.parentNode as DomNode) {
    for (let next = node.nextSibling; next !== null; next = next.nextSibling) {
      if (/\S/.test(next.textContent ?? '')) return true
    }
  }
  return false
}

function isOnlyLinks(paragraph: DomElement): boolean {
  const text = readText(paragraph)
  if (text === '' || text.length > 300) return false
  const linked = [...paragraph.querySelectorAll('a')].map(readText).join('')
  return linked.replace(/\s/g, '').length >= 0.9 * text.replace(/\s/g, '').length
}

function readText(element: DomElement): string {
  return (element.textContent ?? '').trim()
}
