import type { SourceId } from '../citations/source.ts'
import type { ImagePart } from '../kernel/agent/message.ts'
import type { Tool } from '../kernel/agent/tool.ts'
import type { Hash } from '../kernel/json.ts'
import type { Library } from '../retrieval/library.ts'
import type { Gap } from '../team/gap.ts'
import type { FoundPassage } from '../tools/library/library-tools.ts'
import type { ToolAccess } from '../tools/mcp/own-tools.ts'
import type { WebSources } from '../tools/web/web-sources.ts'
import type { Prompts } from './prompts.ts'

/** Paths of sources, by their ids. */
export type SourcePaths = { readonly [sourceId: SourceId]: string }

/** The result of reading one question's sources. */
export type ReadSources = {
  readonly sourceIds: readonly SourceId[]
  readonly gaps: readonly Gap[]
  /** Paths of sources that the library knows under another path; absent if there are none. */
  readonly sourcePaths?: SourcePaths
  /** The sources that are pictures; absent if there are none. */
  readonly pictures?: readonly SourceId[]
  /** Whether the sample library is used in place of an empty library. */
  readonly isSample: boolean
}

/** Reads the pictures among sources. */
export type ReadPictures = (ids: readonly SourceId[]) => Promise<PicturesRead>

/** What the team works with, in addition to the context's models. */
export interface TeamParts {
  readonly prompts: Prompts
  readonly library: Library
  /** The expert's tools. */
  readonly expertTools: readonly Tool[]
  /** The tool that runs Python, created when an expert first may use it. */
  readonly python?: () => Promise<Tool>
  /** Access to MCP servers, created when a run first uses them. */
  readonly mcp?: () => Promise<ToolAccess>
  /** Access to the web, created when a run first uses it. */
  readonly web?: () => Promise<WebSources>
  readonly readPictures?: ReadPictures
  /** Reads the files and folders of a question into the library, for this run; only inside the folder `within`. */
  readSources(paths: readonly string[], signal: AbortSignal, within?: string): Promise<ReadSources>
}

/** Maximum number of turns of a researcher, and of an expert. */
export const maxTurns = 10

/** The roles that see pictures, if their models take them. */
export const pictureRoles = ['researcher', 'expert', 'critic'] as const
/** One of them. */
export type PictureRole = (typeof pictureRoles)[number]

/** A picture among the sources, as models see it. */
export type Picture = ImagePart & {
  readonly title: string
  /** The passage that a citation of it leads to. */
  readonly passage: FoundPassage
}

/** The pictures among the sources, and those that cannot be shown. */
export type PicturesRead = {
  readonly pictures: readonly Picture[]
  readonly left: readonly { readonly title: string; readonly why: string }[]
}

/** The pictures that models were shown. */
export type ShownPictures = {
  /** The message with them. */
  readonly message: Hash
  /** Their citation numbers. */
  readonly numbers: readonly number[]
  readonly roles: readonly PictureRole[]
}
