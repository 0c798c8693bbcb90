import type { CslItem } from '../../../citations/source.ts'
import type { DomDocument } from './dom.ts'
import { cleanValue, type PageFacts, parseDate, parseName } from './page-facts.ts'

/** Maximum length of a script in characters. */
const maxScriptChars = 500_000
/** Maximum number of objects. */
const maxObjects = 1_000

type JsonLd = { readonly [key: string]: unknown }

/**
 * A page's article according to its JSON-LD.
 * @see https://schema.org/Article
 */
export function readJsonLd(document: DomDocument): PageFacts {
  const objects = collectObjects(document)
  const article = objects.find((object) => toCslType(object) !== undefined)
  if (article === undefined) return {}
  const known = new Map(objects.map((object) => [object['@id'], object]))
  const resolve = (value: unknown): unknown => {
    const id = isObject(value) ? value['@id'] : undefined
    return typeof id === 'string' ? { ...known.get(id), ...(value as JsonLd) } : value
  }
  const author = toList(article.author ?? article.creator).flatMap((value) =>
    toPersons(resolve(value)),
  )
  const publisher = toText(resolve(article.publisher))
  return {
    type: toCslType(article),
    title: chooseTitle(
      article,
      cleanValue(document.querySelector('title')?.textContent, 500) ?? '',
    ),
    author,
    issued: parseDate(cleanValue(article.datePublished ?? article.dateCreated, 100)),
    container: toText(resolve(article.isPartOf)),
    publisher,
    language: toText(article.inLanguage),
    url: cleanValue(article.url ?? readId(article.mainEntityOfPage), 2_000),
    doi: toList(article.sameAs ?? article.identifier)
      .map(toText)
      .find((text) => /10\.\d{4,9}\//.test(text ?? '')),
  }
}

/** The headline, unless only the name occurs in the page's title (wikis use the headline for a summary). */
function chooseTitle({ headline, name }: JsonLd, shown: string): string | undefined {
  const titles = [headline, name].map((value) => cleanValue(value, 500))
  return (
    titles.find((title) => title !== undefined && shown.includes(title)) ?? titles[0] ?? titles[1]
  )
}

/** All top-level objects of the scripts and their graphs. */
function collectObjects(document: DomDocument): readonly JsonLd[] {
  const objects: JsonLd[] = []
  const add = (value: unknown, depth: number): void => {
    if (depth > 4 || objects.length >= maxObjects) return
    if (Array.isArray(value)) for (const item of value.slice(0, maxObjects)) add(item, depth + 1)
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
    add(parseScript(script.textContent ?? ''), 0)
  }
  return objects
}

/** The script's value; invalid JSON is ignored, as in browsers. */
function parseScript(script: string): unknown {
  if (script.length > maxScriptChars) return undefined
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

function toCslType(object: JsonLd): CslItem['type'] | undefined {
  const types = toList(object['@type']).filter((type) => typeof type === 'string')
  if (types.some((type) => /ScholarlyArticle$/.test(type))) return 'article-journal'
  if (types.some((type) => /NewsArticle$/.test(type))) return 'article-newspaper'
  if (types.some((type) => /(?:Blog|SocialMedia|Forum)Posting$/.test(type))) return 'post-weblog'
  return types.some((type) => /(?:Article|Report|Posting|WebPage|APIReference)$/.test(type))
    ? 'webpage'
    : undefined
}

function toPersons(value: unknown): NonNullable<CslItem['author']> {
  if (!isObject(value)) return parseName(cleanValue(value, 200))
  const family = cleanValue(value.familyName, 200)
  const given = cleanValue(value.givenName, 200)
  if (family !== undefined && given !== undefined) return [{ family, given }]
  const names = toList(value.name).flatMap((name) => parseName(cleanValue(name, 200)))
  return names.length > 0 ? names : parseName(family)
}

function toText(value: unknown): string | undefined {
  const [first] = toList(value)
  return cleanValue(isObject(first) ? (first.name ?? first.value) : first, 500)
}

function readId(value: unknown): unknown {
  return isObject(value) ? value['@id'] : value
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value)
    ? value.slice(0, 300)
    : value === undefined || value === null
      ? []
      : [value]
}

function isObject(value: unknown): value is JsonLd {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
