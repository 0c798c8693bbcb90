import type { Json, JsonObject } from '../../../kernel/json.ts'
import { failedResult } from './tool-action.ts'

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/
const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const item = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/
const task = /^\[([ xX])\][ \t]+(.*)$/

/** The parts of a Markdown text, or why its front matter cannot be read. */
export async function readMarkdown(content: string): Promise<JsonObject> {
  const lines = content.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const { end, yaml } = findFrontMatter(lines)
  const frontMatter = yaml === undefined ? null : await readYaml(yaml)
  if (frontMatter !== null && 'problem' in frontMatter)
    return failedResult(`The front matter is not valid YAML: ${frontMatter.problem}`, 'parse')
  const blocks = splitBlocks(lines.slice(end))
  const title = blocks.find(({ type, level }) => type === 'heading' && level === 1)
  return {
    title: title?.content ?? null,
    sections: blocks.map(findSection),
    variables: findVariables(lines.slice(end).join('\n')),
    frontmatter: frontMatter?.value ?? null,
    tasks: findTasks(blocks, end),
  }
}

interface Block {
  readonly type: 'heading' | 'paragraph' | 'list' | 'code' | 'quote' | 'table' | 'rule'
  readonly content: string
  /** Line on which the block begins, starting at 0. */
  readonly line: number
  readonly level?: number
  readonly language?: string
}

function findFrontMatter(lines: readonly string[]): {
  readonly end: number
  readonly yaml?: string
} {
  if (lines[0]?.trimEnd() !== '---') return { end: 0 }
  const close = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
  return close < 0 ? { end: 0 } : { end: close + 1, yaml: lines.slice(1, close).join('\n') }
}

async function readYaml(text: string): Promise<{ value: Json } | { problem: string }> {
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, { schema: 'core' })
  const [problem] = document.errors
  if (problem !== undefined) return { problem: problem.message.split('\n', 1)[0] as string }
  try {
    return {
      value: JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null)) as Json,
    }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

function splitBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; ) {
    if ((lines[at] as string).trim() === '') {
      at++
      continue
    }
    const { block, next } = readBlock(lines, at)
    blocks.push(block)
    at = next
  }
  return blocks
}

function readBlock(
  lines: readonly string[],
  line: number,
): { readonly block: Block; readonly next: number } {
  const first = lines[line] as string
  const code = fence.exec(first)
  if (code !== null) return readCode(lines, line, code[1] as string, code[2] ?? '')
  const head = heading.exec(first)
  if (head !== null) {
    const block: Block = {
      type: 'heading',
      content: stripClosingMarks(head[2] ?? ''),
      line,
      level: (head[1] as string).length,
    }
    return { block, next: line + 1 }
  }
  const type = classifyBlock(first)
  let next = line + 1
  if (type !== 'rule') while (next < lines.length && continuesBlock(lines, next, type)) next++
  const content = lines.slice(line, next).join('\n').trimEnd()
  return { block: { type, content, line }, next }
}

/** Closing marks of a heading are searched from the end, since a pattern would try every space. */
function stripClosingMarks(title: string): string {
  const all = title.trimEnd()
  const open = all.replace(/(?<!#)#+$/, '')
  return open === '' || /\s$/.test(open) ? open.trimEnd() : all
}

function classifyBlock(first: string): Exclude<Block['type'], 'heading' | 'code'> {
  if (/^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/.test(first)) return 'rule'
  if (/^ {0,3}>/.test(first)) return 'quote'
  if (/^ {0,3}\|/.test(first)) return 'table'
  return item.test(first) ? 'list' : 'paragraph'
}

function readCode(
  lines: readonly string[],
  line: number,
  marks: string,
  language: string,
): { readonly block: Block; readonly next: number } {
  const isEnd = (other: string) => {
    const found = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(other)?.[1]
    return found !== undefined && found[0] === marks[0] && found.length >= marks.length
  }
  let end = line + 1
  while (end < lines.length && !isEnd(lines[end] as string)) end++
  const content = lines.slice(line + 1, end).join('\n')
  const told = language === '' ? {} : { language }
  return { block: { type: 'code', content, line, ...told }, next: Math.min(end + 1, lines.length) }
}

/** Whether a line continues a block of this type. */
function continuesBlock(lines: readonly string[], at: number, type: Block['type']): boolean {
  const line = lines[at] as string
  if (heading.test(line) || fence.test(line)) return false
  if (line.trim() !== '') return type === 'list' || !item.test(line)
  // A list continues after an empty line if an item or an indented line follows.
  const next = lines[at + 1] ?? ''
  return type === 'list' && (item.test(next) || /^[ \t]+\S/.test(next))
}

function findSection({ type, content, level, language }: Block, index: number): JsonObject {
  return {
    id: `section-${index + 1}`,
    section_type: type,
    content,
    order_idx: index,
    variables: findVariables(content),
    level: level ?? null,
    language: language ?? null,
  }
}

function findVariables(text: string): readonly string[] {
  const names = [...text.matchAll(/\{\{\s{0,20}([A-Za-z_][\w.]*)\s{0,20}(?:\|[^{}]{0,200})?\}\}/g)]
  return [...new Set(names.map(({ 1: name }) => name as string))]
}

function findTasks(blocks: readonly Block[], before: number): readonly JsonObject[] {
  return blocks
    .filter(({ type }) => type === 'list')
    .flatMap(({ content, line }) =>
      content.split('\n').flatMap((written, index): readonly JsonObject[] => {
        const [, space = '', rest = ''] = item.exec(written) ?? []
        const found = task.exec(rest)
        if (found === null) return []
        const text = found[2] as string
        const references = /\(AC:([\d\s,]{1,200})\)/i.exec(text)?.[1]?.match(/\d+/g) ?? []
        return [
          {
            text,
            checked: found[1] !== ' ',
            indent: Math.floor(space.replaceAll('\t', '  ').length / 2),
            ac_refs: references.map(Number),
            line_number: before + line + index + 1,
          },
        ]
      }),
    )
}
