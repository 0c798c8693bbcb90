import { relative } from 'node:path'
import type { WorkspaceFiles } from '../../code/file-changes.ts'
import type { Instructions } from '../../code/instructions.ts'
import { findChangeOutcome, undoChange } from '../../code/tools/files/change-file.ts'
import { createCodeWorkspace } from '../../code/tools/files/code-workspace.ts'
import type { Json } from '../../kernel/json.ts'
import type { AppParts } from '../app-parts.ts'
import { type FolderTexts, readFolderTexts } from './folder-texts.ts'

/** What the files of a session rest on beside its workspace. */
export interface FilesSite {
  /** In which skills of the person's own lie. */
  readonly home?: string
  /** Absolute, or from the workspace on: as its tools have them. */
  readonly closedFolders: readonly string[]
  readonly nowMs: () => number
}

/** Files of a workspace for a session, beside its tools and under their rules. */
export function workspaceFiles(
  workspace: string,
  { home, closedFolders, nowMs }: FilesSite,
): WorkspaceFiles {
  const rules = createCodeWorkspace({ workspace, closedFolders })
  return {
    findOutcome: (change) => findChangeOutcome(rules, change),
    undo: (change, text, key) => undoChange(rules, change, text, key),
    readInstructions: async ({ skills = [], isTrusted = false }) => {
      const texts = await readFolderTexts(workspace, home, skills)
      return instructionsOf(texts, isTrusted, nowMs()) as Json
    },
  }
}

/**
 * What a session is told before its first request. Of a folder that the person does not trust nothing takes the place of the system
 * prompt, and the rest counts as text from elsewhere.
 */
function instructionsOf(texts: FolderTexts, isTrusted: boolean, nowMs: number): Instructions {
  const { system, agents, skills, shippedSkills, branch } = texts
  const hasTexts = agents.length + shippedSkills.length > 0
  const isForeign = !isTrusted && hasTexts
  const isLeftOut = !isTrusted && system !== undefined
  const notes = [
    ...texts.notes,
    ...(isLeftOut ? [`${system.path} is not used because you have not trusted this folder.`] : []),
    ...(isForeign ? [untrustedNote] : []),
  ]
  return {
    ...(system === undefined || isLeftOut ? {} : { system }),
    agents,
    ...(skills.length === 0 ? {} : { skills }),
    ...(isForeign ? { isForeign } : {}),
    ...(isTrusted && (hasTexts || system !== undefined) ? { isTrusted } : {}),
    platform: process.platform,
    date: new Date(nowMs).toISOString().slice(0, 10),
    ...(branch === undefined ? {} : { branch }),
    notes,
  }
}

const untrustedNote =
  'The instructions in this folder count as untrusted text because you have not trusted the folder, so every change is asked about. To trust it, say so in a session at the terminal, or give --trust.'

/** The folders of a workspace that are none of a session's: the home, where it is in it. From the workspace on. */
export function findClosedFolders(
  workspace: string,
  { home }: Pick<AppParts, 'home'>,
): readonly string[] {
  const way = relative(workspace, home.path)
  return way === '' || way.startsWith('..') ? [] : [way]
}
