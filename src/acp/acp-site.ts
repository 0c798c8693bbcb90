import type { App, CodeRequest, SessionOptions } from '../app.ts'

/** What a folder's sessions are opened with. */
export interface FolderApp {
  /** For sessions that begin, and for lists. */
  readonly app: App
  /** For sessions that go on, which keep their models. */
  readonly resuming: App
  /** What the configuration of the folder says of every session. */
  readonly defaults: Pick<CodeRequest, 'settings' | 'web' | 'mcp' | 'skills'>
  readonly execution: Pick<SessionOptions, 'limits' | 'onLog' | 'session' | 'user'>
}

/** What serving an editor needs. */
export interface AcpSite {
  readonly version: string
  /** The folder of the process. */
  readonly folder: string
  /** Sets up what works in a folder, by the configuration that holds there. @throws `invalid_configuration` */
  open(folder: string): Promise<FolderApp>
}

/** The apps of the folders in which sessions work, each opened once. */
export class FolderApps {
  private readonly site: AcpSite
  private readonly opened = new Map<string, Promise<FolderApp>>()

  constructor(site: AcpSite) {
    this.site = site
  }

  /** @throws `invalid_configuration` */
  in(folder: string): Promise<FolderApp> {
    const known = this.opened.get(folder)
    if (known !== undefined) return known
    const opening = this.site.open(folder)
    this.opened.set(folder, opening)
    // What is wrong now may be mended before it is asked for again.
    opening.catch(() => this.opened.delete(folder))
    return opening
  }

  /** One app for each home that is in use, that of the process's folder first. */
  async eachHome(): Promise<readonly FolderApp[]> {
    const apps = await Promise.all([this.in(this.site.folder), ...this.opened.values()])
    const homes = apps.map(({ app }) => app.home.path)
    return apps.filter(({ app }, index) => homes.indexOf(app.home.path) === index)
  }

  async close(): Promise<void> {
    const apps = await Promise.allSettled(this.opened.values())
    for (const outcome of apps) {
      if (outcome.status !== 'fulfilled') continue
      await outcome.value.app.close()
      await outcome.value.resuming.close()
    }
  }
}
