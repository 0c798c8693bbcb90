import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReportInput } from '../../src/papers/report/report-facts.ts'

/** Texts that try to be markup, links, citations, formulas or controls. */
export const hostileTexts: readonly string[] = [
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  "'-alert(1)-'",
  '" autofocus onfocus=alert(1) x="',
  '</style><script>alert(1)</script>',
  '</title></details></section><img src=x onerror=alert(1)>',
  '[click](javascript:alert(1)) and ![x](https://evil.example/x.png)',
  '<https://evil.example/> www.evil.example javascript:alert(1)',
  '=HYPERLINK("https://evil.example","x")',
  '+1+cmd|’ /C calc’!A0',
  '@SUM(1+1)',
  '\t=1+1',
  '-2+3',
  'a | b \\| c \\',
  '[1] [2][3] [^a] [@b] 【1】',
  '[1]: https://evil.example "x"',
  '# A heading',
  '1. - > * a list',
  '```\nunclosed code',
  '`one **two _three ~~four $five',
  '&lt;b&gt; &#60;script&#62; &amp;',
  '“unclosed and ”closed“',
  'line one\r\nline two\u2028line three',
  '\u202e\u2066reversed\u0000\u0007\u001b[31m',
  '\ud800 alone',
  '--><!--',
  '{{7*7}} %s #{x}',
]

/** The same with collections of such texts, where the data folder is there. */
export function moreHostileTexts(dataFolder: string): readonly string[] {
  const folder = join(dataFolder, '07-adversarial')
  const lists = join(folder, 'PayloadsAllTheThings', 'XSS Injection', 'Intruders')
  const naughty: unknown = JSON.parse(readFileSync(join(folder, 'blns.dev.json'), 'utf8'))
  const names = [
    'IntrudersXSS.txt',
    'RSNAKE_XSS.txt',
    'XSS_Polyglots.txt',
    'BRUTELOGIC-XSS-STRINGS.txt',
  ]
  const files = names.map((name) => join(lists, name)).filter((path) => existsSync(path))
  const lines = files.flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  const given = Array.isArray(naughty) ? naughty.map(String) : []
  return [...lines, ...given].filter((text) => text.trim() !== '')
}

const textFields = new Set(
  'question category title authors quote section text reason point description context says remarks place detail judge error errors message source family given foundBy runId name literal'.split(
    ' ',
  ),
)
/** What claims say is found again in the answer, so both stay. */
const keptFields = new Set(['claims', 'answer', 'citations', 'dropped'])

/** An input whose texts are those given, in turns; ids, addresses, verdicts and the summary stay. */
export function withTexts(input: ReportInput, texts: readonly string[]): ReportInput {
  let at = 0
  const next = () => texts[at++ % texts.length] ?? ''
  const changed = (value: unknown, field: string): unknown => {
    if (keptFields.has(field)) return value
    if (typeof value === 'string') return textFields.has(field) && value !== '' ? next() : value
    if (Array.isArray(value)) return value.map((one) => changed(one, field))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, changed(one, name)]),
    )
  }
  return changed(input, '') as ReportInput
}
