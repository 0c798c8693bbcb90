import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Document, Unreadable } from '../../src/sources/document.ts'
import { createDocumentReader } from '../../src/sources/files/worker/document-reader.ts'
import { readPaths } from '../../src/sources/read-files.ts'

/** A folder for files of one test file, and what reading them gives. */
export class ReadingFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'scholium-reading-'))
  readonly reader = createDocumentReader()

  /** Writes a file and reads it: a line for each outcome, as `path: text` or `path: reason`, paths from the folder. */
  async outcomes(name: string, content: string | Uint8Array): Promise<readonly string[]> {
    writeFileSync(join(this.path, name), content)
    const said: string[] = []
    for await (const outcome of readPaths([{ path: join(this.path, name) }], this)) {
      const what = outcome.ok
        ? outcome.document.text
        : outcome.ok === false
          ? outcome.unreadable.reason
          : outcome.why
      said.push(`${outcome.path.slice(this.path.length + 1)}: ${what}`)
    }
    return said
  }

  /** Writes a file that is one document and reads it. */
  async document(name: string, content: string | Uint8Array): Promise<Document> {
    const outcome = await this.only(name, content)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    return outcome.document
  }

  /** Writes a file that gives no document and reads it. */
  async refusal(name: string, content: string | Uint8Array): Promise<Unreadable | undefined> {
    const outcome = await this.only(name, content)
    return outcome.ok === false ? outcome.unreadable : undefined
  }

  async remove(): Promise<void> {
    await this.reader.close()
    rmSync(this.path, { recursive: true, force: true })
  }

  private async only(name: string, content: string | Uint8Array) {
    writeFileSync(join(this.path, name), content)
    const outcomes = []
    for await (const outcome of readPaths([{ path: join(this.path, name) }], this))
      outcomes.push(outcome)
    const [first] = outcomes
    if (first === undefined || outcomes.length > 1) throw new Error(JSON.stringify(outcomes))
    return first
  }
}

/** The text of each section by its title, of documents whose sections have different titles. */
export function sectionsOf({ text, sections }: Document): Readonly<Record<string, string>> {
  return Object.fromEntries(
    sections.map(({ title, start }, index) => [
      title,
      text.slice(start, sections[index + 1]?.start ?? text.length).trim(),
    ]),
  )
}

/** The text of each page. */
export function pagesOf({ text, pages }: Document): readonly string[] {
  return pages.map(({ start, end }) => text.slice(start, end))
}
