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

/** What reading the sources of one question gave. */
export type ReadSources = {
  readonly sourceIds: readonly SourceId[]
  readonly gaps: readonly Gap[]
  /** Where sources were read that the library first met at another path; absent where none is. */
  readonly sourcePaths?: SourcePaths
  /** The sources that are pictures; absent where none is. */
  readonly pictures?: readonly SourceId[]
  /** Whether the sample library stands in for an empty library. */
  readonly isSample: boolean
}

/** Reads the pictures among sources. */
export type ReadPictures = (ids: readonly SourceId[]) => Promise<PicturesRead>

/** What the team works with, beside the models that the context gives. */
export interface TeamParts {
  readonly prompts: Prompts
  readonly library: Library
  /** The expert's tools. */
  readonly expertTools: readonly Tool[]
  /** The tool that runs Python, made when an expert first may use it; a run that may not never does. */
  readonly python?: () => Promise<Tool>
  /** The way to MCP servers, made when a run first uses them; a run that may not never does. */
  readonly mcp?: () => Promise<ToolAccess>
  /** The way to the web, made when a run first asks for it; a run that may not never does. */
  readonly web?: () => Promise<WebSources>
  readonly readPictures?: ReadPictures
  /** Reads the files and folders of a question into the library, for this run; none that leads out of the folder `within`. */
  readSources(paths: readonly string[], signal: AbortSignal, within?: string): Promise<ReadSources>
}

/** Turns of a researcher and of an expert at most. */
export const maxTurns = 10

/** The roles that are shown pictures, where their models take them. */
export const pictureRoles = ['researcher', 'expert', 'critic'] as const
/** One of them. */
export type PictureRole = (typeof pictureRoles)[number]

/** A picture among the sources, as models are shown it. */
export type Picture = ImagePart & {
  readonly title: string
  /** What its file says of it: the place that a citation leads to. */
  readonly passage: FoundPassage
}

/** The pictures among the sources, and those that cannot be shown. */
export type PicturesRead = {
  readonly pictures: readonly Picture[]
  readonly left: readonly { readonly title: string; readonly why: string }[]
}

/** Which pictures models were shown. */
export type ShownPictures = {
  /** The message with them. */
  readonly message: Hash
  /** Their citation numbers. */
  readonly numbers: readonly number[]
  readonly roles: readonly PictureRole[]
}
