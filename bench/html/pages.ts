import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** A web page and the main text that people, or another reader, found in it. */
export interface LabelledPage {
  readonly name: string
  readonly url?: string
  readonly html: string
  /** The expected text, or the HTML that holds it. */
  readonly expected: string
  /** Half of the pages were looked at while the reader was made. */
  readonly half: 'dev' | 'held-out'
}

/** A page, with the result that Readability's authors expect. */
export interface DescribedPage extends LabelledPage {
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The pages of the article extraction benchmark that are in `folder`. */
export function articlePages(folder: string): readonly LabelledPage[] {
  const truths = JSON.parse(readFileSync(join(folder, 'ground-truth.json'), 'utf8')) as Record<
    string,
    { readonly articleBody: string; readonly url: string }
  >
  return Object.entries(truths).map(([name, { articleBody, url }]) => {
    const html = gunzipSync(readFileSync(join(folder, 'html', `${name}.html.gz`))).toString()
    return { name, url, html, expected: articleBody, half: halfOf(name) }
  })
}

/** The test pages of Readability that are in `folder`; what is expected is its own output, once looked over. */
export function readabilityPages(folder: string): readonly DescribedPage[] {
  const pages = join(folder, 'test', 'test-pages')
  return readdirSync(pages).map((name) => {
    const read = (file: string) => readFileSync(join(pages, name, file), 'utf8')
    const metadata = JSON.parse(read('expected-metadata.json')) as Record<string, unknown>
    const [html, expected] = [read('source.html'), read('expected.html')]
    return {
      name,
      url: 'http://fakehost/test/page.html',
      html,
      expected,
      metadata,
      half: halfOf(name),
    }
  })
}

function halfOf(name: string): LabelledPage['half'] {
  return (createHash('sha256').update(name).digest()[0] as number) % 2 === 0 ? 'dev' : 'held-out'
}
