import type { CslItem } from '../../../citations/source.ts'
import type { DomDocument } from './dom.ts'
import { nameOf, type PageFacts, plainValue, writtenDate } from './page-facts.ts'

/** More text of one script is not parsed, in characters. */
const MAX_SCRIPT_CHARS = 500_000
/** More objects are not looked at. */
const MAX_OBJECTS = 1_000

type JsonLd = { readonly [key: string]: unknown }

/** What a page's JSON-LD says of its article. @see https://schema.org/Article */
export function jsonLdFacts(document: DomDocument): PageFacts {
  const objects = objectsIn(document)
  const article = objects.find((object) => typeOf(object) !== undefined)
  if (article === undefined) return {}
  const known = new Map(objects.map((object) => [object['@id'], object]))
  const resolve = (value: unknown): unknown => {
    const id = isObject(value) ? value['@id'] : undefined
    return typeof id === 'string' ? { ...known.get(id), ...(value as JsonLd) } : value
  }
  const author = listOf(article.author ?? article.creator).flatMap((value) =>
    personOf(resolve(value)),
  )
  const publisher = textOf(resolve(article.publisher))
  return {
    type: typeOf(article),
    title: titleOf(article, plainValue(document.querySelector('title')?.textContent, 500) ?? ''),
    author,
    issued: writtenDate(plainValue(article.datePublished ?? article.dateCreated, 100)),
    container: textOf(resolve(article.isPartOf)),
    publisher,
    language: textOf(article.inLanguage),
    url: plainValue(article.url ?? idOf(article.mainEntityOfPage), 2_000),
    doi: listOf(article.sameAs ?? article.identifier)
      .map(textOf)
      .find((text) => /10\.\d{4,9}\//.test(text ?? '')),
  }
}

/** The headline, unless only the name is in the title that the browser shows (wikis take the headline for a summary). */
function titleOf({ headline, name }: JsonLd, shown: string): string | undefined {
  const titles = [headline, name].map((value) => plainValue(value, 500))
  return (
    titles.find((title) => title !== undefined && shown.includes(title)) ?? titles[0] ?? titles[1]
  )
}

/** Every object at the top of the scripts and in their graphs. */
function objectsIn(document: DomDocument): readonly JsonLd[] {
  const objects: JsonLd[] = []
  const add = (value: unknown, depth: number): void => {
    if (depth > 4 || objects.length >= MAX_OBJECTS) return
    if (Array.isArray(value)) for (const item of value.slice(0, MAX_OBJECTS)) add(item, depth + 1)
    else if (isObject(value)) {
      objects.push(value)
      add(value['@graph'], depth + 1)
      add(value.mainEntity, depth + 1)
    }
  }
  for (const script of [...document.querySelectorAll('script[type="application/ld+json"]')].slice(
    0,
    30,
  )) {
    add(parsed(script.textContent ?? ''), 0)
  }
  return objects
}

/** The script's value; what is no JSON says nothing, as in a browser. */
function parsed(script: string): unknown {
  if (script.length > MAX_SCRIPT_CHARS) return undefined
  try {
    return JSON.parse(
      script.replace(
        /^\s*(?:<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|(?:\/\/\s*)?\]\]>)\s*$/g,
        '',
      ),
    )
  } catch {
    return undefined
  }
}

function typeOf(object: JsonLd): CslItem['type'] | undefined {
  const types = listOf(object['@type']).filter((type) => typeof type === 'string')
  if (types.some((type) => /ScholarlyArticle$/.test(type))) return 'article-journal'
  if (types.some((type) => /NewsArticle$/.test(type))) return 'article-newspaper'
  if (types.some((type) => /(?:Blog|SocialMedia|Forum)Posting$/.test(type))) return 'post-weblog'
  return types.some((type) => /(?:Article|Report|Posting|WebPage|APIReference)$/.test(type))
    ? 'webpage'
    : undefined
}

function personOf(value: unknown): NonNullable<CslItem['author']> {
  if (!isObject(value)) return nameOf(plainValue(value, 200))
  const family = plainValue(value.familyName, 200)
  const given = plainValue(value.givenName, 200)
  if (family !== undefined && given !== undefined) return [{ family, given }]
  const names = listOf(value.name).flatMap((name) => nameOf(plainValue(name, 200)))
  return names.length > 0 ? names : nameOf(family)
}

function textOf(value: unknown): string | undefined {
  const [first] = listOf(value)
  return plainValue(isObject(first) ? (first.name ?? first.value) : first, 500)
}

function idOf(value: unknown): unknown {
  return isObject(value) ? value['@id'] : value
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value)
    ? value.slice(0, 300)
    : value === undefined || value === null
      ? []
      : [value]
}

function isObject(value: unknown): value is JsonLd {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
