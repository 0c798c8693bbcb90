import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, type AppOptions, createApp } from '../../src/index.ts'
import {
  createQuickClock,
  type Script,
  type ScriptedModel,
  startScriptedModel,
} from '../../src/testing/index.ts'
import { paperPdf } from './paper-pdf.ts'
import { scriptPapers } from './paper-script.ts'
import { PaperServer } from './paper-server.ts'
import { sparseAttentionPapers } from './served-papers.ts'

/** A home with services of papers and a model behind HTTP. */
export class AppWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-app-papers-'))
  readonly home = join(this.folder, 'home')
  readonly papers: PaperServer
  readonly model: ScriptedModel
  readonly warnings: string[] = []
  private readonly apps: App[] = []

  private constructor(papers: PaperServer, model: ScriptedModel) {
    this.papers = papers
    this.model = model
  }

  static async start(script: Script = scriptPapers()): Promise<AppWorld> {
    return new AppWorld(await PaperServer.start(), await startScriptedModel(script))
  }

  /** An app on the home, with the scripted model for all roles; `more` changes it. */
  app(more: Partial<AppOptions> = {}): App {
    const app = createApp({
      ...scriptedOptions(this.home, this.model.url, this.papers.webServers),
      folder: this.folder,
      onWarning: (text) => this.warnings.push(text),
      ...more,
    })
    this.apps.push(app)
    return app
  }

  /** An app that asks no model and no network. */
  offline(more: Partial<AppOptions> = {}): App {
    const app = createApp({ home: this.home, folder: this.folder, environment: {}, ...more })
    this.apps.push(app)
    return app
  }

  /** Writes PDFs of the first so many papers, from one on, into a folder; its path. */
  pdfs(name: string, count: number, from = 0): string {
    const path = join(this.folder, name)
    mkdirSync(path, { recursive: true })
    for (const paper of sparseAttentionPapers.slice(from, from + count))
      writeFileSync(join(path, `${paper.arxivId}.pdf`), paperPdf(paper))
    return path
  }

  /** How many requests the model got. */
  get modelCalls(): number {
    return this.model.requests.length
  }

  async close(): Promise<void> {
    for (const app of this.apps) await app.close()
    await this.model.close()
    await this.papers.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** How an app is made that asks the scripted model and the services of the tests. */
export function scriptedOptions(
  home: string,
  modelUrl: string,
  webServers: PaperServer['webServers'],
): AppOptions {
  return {
    home,
    models: { default: 'openai-compatible:scripted' },
    environment: { OPENAI_BASE_URL: modelUrl },
    webServers,
    clock: createQuickClock(),
  }
}
