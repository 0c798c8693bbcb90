import type { App, CodeRequest, SessionOptions } from '../app.ts'

/** The apps of a folder's sessions. */
export interface FolderApp {
  /** For new sessions, and for lists. */
  readonly app: App
  /** For resumed sessions, which keep their models. */
  readonly resuming: App
  /** What the folder's configuration sets for every session. */
  readonly defaults: Pick<CodeRequest, 'settings' | 'web' | 'mcp' | 'skills'>
  readonly execution: Pick<SessionOptions, 'limits' | 'onLog' | 'session' | 'user'>
}

/** What serving an editor needs. */
export interface AcpSite {
  readonly version: string
  /** The folder of the process. */
  readonly folder: string
  /** Creates the app of a folder from its configuration. @throws `invalid_configuration` */
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
    // The problem may be fixed before the next attempt.
    opening.catch(() => this.opened.delete(folder))
    return opening
  }

  /** One app for each home in use, that of the process's folder first. */
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
