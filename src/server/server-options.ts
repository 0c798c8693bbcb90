import type { App, AskRequest, Configuration, PapersRequest } from '../app.ts'

/** What the operator allows the runs of requests, and sets for them. */
export interface RunPolicy {
  /**
   * Settings of questions and papers, which requests can change. Only if `web` is set here, a request can use the web.
   * @param isContinued whether the run takes its settings from the run that it continues
   */
  readonly defaults?: (isContinued: boolean) => {
    readonly ask: Omit<AskRequest, 'question'>
    readonly papers: PapersRequest
  }
  /** The folder whose files requests can name as sources, and where agent files read and write. Default: none; agent files then have a folder of the home for each user. */
  readonly filesFolder?: string
  /** The folder whose agent files requests can run. Default: none. */
  readonly agentsFolder?: string
  /** Maximum size of a file that is uploaded. Default 100,000,000 bytes, as much as readers read. */
  readonly maxUploadBytes?: number
  /** Maximum size of all uploaded files of one token, and of all in the library that tokens share. Default 5,000,000,000 bytes. */
  readonly maxOriginalsBytes?: number
  /** What `GET /api/config`, `/api/doctor` and `/api/models` describe. Default: nothing but the names of models. */
  readonly configuration?: Configuration
}

/** Options of a server; all have defaults. */
export interface HandlerOptions extends RunPolicy {
  /** The app that resumes and forks runs: one that was created without models, so that they keep theirs. Default: the same app. */
  readonly resuming?: App
  /** The token that requests need. Default: `SCHOLIUM_TOKEN`, else one that is created once and kept in the home, readable by its owner only. */
  readonly token?: string
  /** Host names under which the server is reached, in addition to `localhost` and IP addresses. Default: none. */
  readonly hosts?: readonly string[]
  /** The address at which a proxy offers the server, such as `https://papers.example.org`. */
  readonly publicUrl?: string
  /** Maximum number of runs that are executed at once. Default 4. */
  readonly maxRuns?: number
  /** Maximum number of runs of one token that are executed or wait for their turn; those of admins are not limited. Default 100. */
  readonly maxRunsPerToken?: number
  /** Maximum number of streams of events that are open at once. Default 2,500. */
  readonly maxStreams?: number
  /** Maximum number of them with one token; those of admins are not limited. Default 250. */
  readonly maxStreamsPerToken?: number
  /** Milliseconds after which a reader that takes nothing from its stream is cut off. Default 30,000. */
  readonly slowReaderMs?: number
  /** Maximum number of requests of one token that are answered at once; streams do not count. Default 64. */
  readonly maxRequests?: number
  /** Maximum size of a request's body. Default 1,000,000 bytes. */
  readonly maxBodyBytes?: number
  /** Maximum size of a bundle that is verified. Default 100,000,000 bytes. */
  readonly maxBundleBytes?: number
  /** Called with a failure that neither an answer nor a log explains. Default: it is ignored. */
  readonly onFailure?: (error: unknown) => void
}

/** Adds tools to an MCP server, which can seal a state with `asked`. Their types are those of the protocol's package. */
export type ExtendMcp = (server: object, asked: object) => void
