import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { sha256 } from '../../src/kernel/json.ts'
import type { Library } from '../../src/retrieval/library.ts'
import type { Document } from '../../src/sources/document.ts'

/** Opens a library; two libraries of one place hold the same sources. `place` is a path in an empty folder. */
export type OpenLibrary = (place: string) => Library | Promise<Library>

/** The libraries of one test. */
export interface Libraries {
  /** A place of this test's own. */
  readonly place: string
  /** One more library of that place; it is closed after the test. */
  open(): Promise<Library>
}

/** Gives each test of the surrounding `describe` a new place. */
export function useLibraries(openLibrary: OpenLibrary): Libraries {
  let folder = ''
  let opened: Library[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scholium-library-'))
  })
  afterEach(async () => {
    for (const library of opened) await library.close()
    opened = []
    await rm(folder, { recursive: true, force: true })
  })
  return {
    get place() {
      return join(folder, 'library')
    },
    async open() {
      const library = await openLibrary(join(folder, 'library'))
      opened.push(library)
      return library
    },
  }
}

/** A document whose bytes are its text. */
export function documentOf(title: string, text: string, changes: Partial<Document> = {}): Document {
  const contentHash = sha256(text)
  return {
    contentHash,
    kind: 'text',
    sizeBytes: Buffer.byteLength(text),
    title,
    text,
    pages: [],
    sections: [],
    csl: { id: contentHash, type: 'document', title },
    notes: [],
    ...changes,
  }
}

/** A word that stands for a number, and for no other. */
export function wordFor(number: number): string {
  return `q${[...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}`
}

/** A document of two passages that say its {@link wordFor} again and again; its title is that word. */
export function numberedDocument(number: number): Document {
  const word = wordFor(number)
  const half = (part: string) => `${`${part} of ${word} goes on. `.repeat(40)}\n\n`
  return documentOf(word, half('Beginning') + half('Ending'))
}

const pages = {
  crispr:
    'CRISPR is a family of DNA sequences in bacteria. Francisco Mojica recognised and named the repeats; Yoshizumi Ishino had discovered them in 1987.',
  penicillin:
    'Penicillin is an antibiotic. Alexander Fleming discovered penicillin in 1928 in London.',
  caffeine: 'Caffeine is a stimulant in coffee and tea. It blocks the receptors of adenosine.',
  reef: 'The Great Barrier Reef is the largest system of coral reefs in the world.',
  metre: 'The metre is the length that light travels in a small part of a second.',
}

/** A few short pages on different topics, by name. */
export const samplePages: Readonly<Record<keyof typeof pages, Document>> = {
  crispr: documentOf('CRISPR', pages.crispr),
  penicillin: documentOf('Penicillin', pages.penicillin),
  caffeine: documentOf('Caffeine', pages.caffeine),
  reef: documentOf('The Great Barrier Reef', pages.reef),
  metre: documentOf('The metre', pages.metre),
}

/** A library of one place with the {@link samplePages} at `/samples/NAME`. */
export async function openSamples(libraries: Libraries): Promise<Library> {
  const library = await libraries.open()
  await library.addAll(
    Object.entries(samplePages).map(([name, document]) => ({ document, path: `/samples/${name}` })),
  )
  return library
}

/** The titles of what a search finds, best first. */
export async function titlesFor(
  library: Library,
  query: string,
  changes: Partial<Parameters<Library['search']>[0]> = {},
): Promise<readonly string[]> {
  const hits = await library.search({ query, limit: 10, ...changes })
  return hits.map(({ source }) => source.title)
}
