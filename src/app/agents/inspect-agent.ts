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

/** The result of checking an agent file. */
export interface AgentCheck {
  readonly file: string
  /** Whether it can be run. */
  readonly isValid: boolean
  /** Its name, if readable. */
  readonly name?: string
  /** Errors and warnings, by position. */
  readonly problems: readonly DocumentProblem[]
}

/** An agent file as it would run, with drawings of its graph. */
export interface AgentInspection {
  readonly document: AgentDocument
  readonly picture: DocumentPicture
  /** The graph in Mermaid. */
  readonly mermaid: string
  /** The graph in Graphviz. */
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
