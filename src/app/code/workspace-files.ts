import { relative } from 'node:path'
import type { WorkspaceFiles } from '../../code/file-changes.ts'
import type { Instructions } from '../../code/instructions.ts'
import { findChangeOutcome, undoChange } from '../../code/tools/files/change-file.ts'
import { createCodeWorkspace } from '../../code/tools/files/code-workspace.ts'
import type { Json } from '../../kernel/json.ts'
import type { AppParts } from '../app-parts.ts'
import { type FolderTexts, readFolderTexts } from './folder-texts.ts'

/** What access to a session's files depends on, in addition to its workspace. */
export interface FilesSite {
  /** The home with the person's own skills. */
  readonly home?: string
  /** Absolute, or relative to the workspace: as its tools take them. */
  readonly closedFolders: readonly string[]
  readonly nowMs: () => number
}

/** A workspace's files for a session, outside of its tools but under their rules. */
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
 * What a session is told before its first request. Nothing from an untrusted folder replaces the system prompt; the
 * rest of it is untrusted text.
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

/** Folders of a workspace that a session may not use: the home, if inside. Relative to the workspace. */
export function findClosedFolders(
  workspace: string,
  { home }: Pick<AppParts, 'home'>,
): readonly string[] {
  const way = relative(workspace, home.path)
  return way === '' || way.startsWith('..') ? [] : [way]
}
