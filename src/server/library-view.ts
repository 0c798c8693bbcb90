import { type App, type Hit, originalsFolder, originalsRoot, type SearchRequest } from '../app.ts'
import type { Source, SourceId } from '../citations/source.ts'
import type { Principal } from './tokens.ts'

/** Who owns what somebody uploads: nobody, if it is added to the library that all share. */
export function ownerFor({ name, role }: Principal): string | undefined {
  return role === 'admin' ? undefined : name
}

/** What somebody sees of the library: what all share, and their own uploads; admins see those of everybody. */
export class LibraryView {
  private readonly app: App
  private readonly folder: string

  constructor(app: App, principal: Principal) {
    this.app = app
    const owner = ownerFor(principal)
    const home = app.home.path
    this.folder = owner === undefined ? originalsRoot(home) : originalsFolder(home, owner)
  }

  /** All sources, by title. */
  async list(): Promise<readonly Source[]> {
    const shared = await this.app.listLibrary()
    const known = new Set(shared.map(({ id }) => id))
    const own = (await this.listOwn()).filter(({ id }) => !known.has(id))
    return own.length === 0 ? shared : [...shared, ...own].sort(byTitle)
  }

  /** A source; what somebody uploaded is found under the name that they gave it. */
  async find(id: string): Promise<Source | undefined> {
    const [shared] = await this.app.listLibrary({ id: id as SourceId })
    return (await this.findOwn(id)) ?? shared
  }

  /** A source that is kept for this person, or for an admin for anybody. */
  async findOwn(id: string): Promise<Source | undefined> {
    const [own] = await this.listOwn(id)
    return own
  }

  /** The best passages for a query. */
  async search(request: SearchRequest): Promise<readonly Hit[]> {
    const own = new Map((await this.listOwn()).map((source) => [source.id, source]))
    const hits = await this.app.searchLibrary({ ...request, alsoSourceIds: [...own.keys()] })
    return hits.map((hit) => ({ ...hit, source: own.get(hit.source.id) ?? hit.source }))
  }

  private listOwn(id?: string): Promise<readonly Source[]> {
    const { folder } = this
    return this.app.listLibrary({ folder, ...(id === undefined ? {} : { id: id as SourceId }) })
  }
}

function byTitle(one: Source, other: Source): number {
  if (one.title === other.title) return one.id < other.id ? -1 : 1
  return one.title < other.title ? -1 : 1
}

/** What runs and checks for somebody search in addition to the library: the folder of their uploads, if there are any. */
export async function ownSources(app: App, principal: Principal): Promise<readonly string[]> {
  const owner = ownerFor(principal)
  if (owner === undefined) return []
  const folder = originalsFolder(app.home.path, owner)
  return (await app.listLibrary({ folder })).length === 0 ? [] : [folder]
}
