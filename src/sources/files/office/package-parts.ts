import { posix } from 'node:path'
import { type ReadResult, refuse, type Unreadable } from '../../document.ts'
import { createXmlReader, findElements, type XmlElement } from '../../xml.ts'
import { openZip, type ZipArchive } from '../archive/zip-archive.ts'

/** A link from one part of a package to another, or to an external target, which is never followed. */
export interface Relationship {
  readonly id: string
  /** The last segment of its type: "slide". */
  readonly type: string
  /** The name of the part; `undefined` for external targets. */
  readonly target: string | undefined
}

/** The parts of a document that is a zip archive of XML. */
export interface PackageParts {
  readonly archive: ZipArchive
  has(name: string): boolean
  /**
   * A part's bytes; `undefined` if missing.
   * @throws {@link UnreadablePart}
   */
  bytes(name: string): Promise<Uint8Array | undefined>
  /**
   * A part's text; `undefined` if missing.
   * @throws {@link UnreadablePart}
   */
  text(name: string): Promise<string | undefined>
  /**
   * A part's elements; none if missing.
   * @throws {@link UnreadablePart}, or if it is not XML
   */
  xml(name: string): Promise<readonly XmlElement[]>
  /**
   * A part's links.
   * @throws as {@link PackageParts.xml}
   */
  relationships(name: string): Promise<readonly Relationship[]>
}

/** Opens a package. @throws {@link UnreadablePart} */
export async function openPackage(bytes: Uint8Array): Promise<PackageParts> {
  const archive = openZip(bytes)
  if ('reason' in archive) throw new UnreadablePart(archive)
  const readXml = await createXmlReader()
  const unpack = async (name: string): Promise<Uint8Array | undefined> => {
    const entry = archive.find(name)
    if (entry === undefined) return undefined
    const unpacked = await archive.unpack(entry)
    if (!(unpacked instanceof Uint8Array)) throw new UnreadablePart(readInPart(name, unpacked))
    return unpacked
  }
  const text = async (name: string): Promise<string | undefined> => {
    const unpacked = await unpack(name)
    return unpacked === undefined ? undefined : decodePart(unpacked)
  }
  const xml = async (name: string) => readXml((await text(name)) ?? '')
  return {
    archive,
    bytes: unpack,
    text,
    xml,
    has: (name) => archive.find(name) !== undefined,
    relationships: async (name) => {
      const { dir, base } = posix.parse(name)
      const links = await xml(posix.join(dir, '_rels', `${base}.rels`))
      return findElements(links, 'Relationship').map((link) => toRelationship(link, dir))
    },
  }
}

/** A target with a leading slash is relative to the package. */
function toRelationship({ attributes }: XmlElement, folder: string): Relationship {
  const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes
  const isInside = mode !== 'External' && target !== ''
  const place = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
  return {
    id,
    type: type.replace(/^.*\//, ''),
    target: isInside ? posix.normalize(place) : undefined,
  }
}

/** The link an element names by `r:id`, whatever the prefix. */
export function findLink({ attributes }: XmlElement, links: readonly Relationship[]) {
  const named = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]
  return links.find(({ id }) => id === named)
}

/** Drops repeated references to a part, with a note: no program writes them, and each would cost a reading. */
export function forEachPartOnce<One extends { readonly part: string }>(
  what: string,
  all: readonly One[],
): { readonly once: readonly One[]; readonly notes: readonly string[] } {
  const seen = new Set<string>()
  const once = all.filter(({ part }) => !seen.has(part) && seen.add(part))
  const again = all.length - once.length
  return {
    once,
    notes: again === 0 ? [] : [`repeated ${what} were read once: ${again}`],
  }
}

function decodePart(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const encoding = isWide ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

function readInPart(name: string, { reason, detail, hint }: Unreadable): Unreadable {
  const why = detail.replace(/^It /, () => `Its part ${name} `)
  const isSize = reason === 'too_large'
  return { reason, detail: why, hint: isSize ? 'Split it into smaller files and add those.' : hint }
}

/** Why a document in a zip archive cannot be read; thrown inside a reader and returned as its outcome. */
export class UnreadablePart extends Error {
  readonly unreadable: Unreadable

  constructor(unreadable: Unreadable) {
    super(unreadable.detail)
    this.unreadable = unreadable
  }
}

/** Returns the refusal of an {@link UnreadablePart} thrown by `read`. */
export async function catchUnreadable(read: () => Promise<ReadResult>): Promise<ReadResult> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UnreadablePart) return refuse(error.unreadable)
    throw error
  }
}

/** After this share of the time limit, the rest of a document is skipped rather than all of it lost. */
const softPartOfTime = 0.85

/** Checks whether most of a file's time, from now on, is used up. */
export function createTimeCheck(limitMs: number): () => boolean {
  const startedAt = performance.now()
  return () => performance.now() - startedAt > softPartOfTime * limitMs
}

/** The note for a document that was not read to its end. */
export function timeUpNote(read: string): string {
  return `only ${read} read: the time limit per file was reached`
}
