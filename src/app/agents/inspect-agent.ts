import type { AgentDocument } from '../../agents/document/agent-document.ts'
import {
  type DocumentPicture,
  drawDocument,
  pictureToDot,
  pictureToMermaid,
} from '../../agents/document/picture.ts'
import type { DocumentProblem } from '../../agents/document/problem.ts'
import type { AppParts } from '../app-parts.ts'
import {
  type AgentSource,
  pathOf,
  type ReadAgentOptions,
  readAgent,
  requireAgent,
} from './read-agent.ts'

/** What is to be said of an agent file before it is run. */
export interface AgentCheck {
  readonly file: string
  /** Whether it can be run. */
  readonly isValid: boolean
  /** Its name, where it can be read. */
  readonly name?: string
  /** Errors and warnings, in the order of their places. */
  readonly problems: readonly DocumentProblem[]
}

/** An agent file as it will be run, and pictures of it. */
export interface AgentInspection {
  readonly document: AgentDocument
  readonly picture: DocumentPicture
  /** The same for Mermaid. */
  readonly mermaid: string
  /** The same for Graphviz. */
  readonly dot: string
}

/** @see App.validateAgent */
export async function validateAgent(
  parts: AppParts,
  source: AgentSource,
  options: ReadAgentOptions,
): Promise<AgentCheck> {
  const read = await readAgent(source, parts.folder, await parts.agents.checks(), options)
  return {
    file: pathOf(source),
    isValid: read.ok,
    ...(read.ok ? { name: read.document.name } : {}),
    problems: read.problems,
  }
}

/** @see App.inspectAgent */
export async function inspectAgent(
  parts: AppParts,
  source: AgentSource,
  options: ReadAgentOptions,
): Promise<AgentInspection> {
  const checks = await parts.agents.checks()
  const { document } = await requireAgent(source, parts.folder, checks, options)
  const picture = drawDocument(document)
  return {
    document,
    picture,
    mermaid: pictureToMermaid(picture),
    dot: pictureToDot(picture),
  }
}
