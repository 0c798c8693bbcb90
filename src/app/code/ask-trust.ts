import type { PermissionRequest } from '../../code/events.ts'
import { parsePermission, sanitizePreview } from '../../code/permission.ts'
import type { CodeInput } from '../../code/settings.ts'
import type { Json } from '../../kernel/json.ts'
import type { AppParts } from '../app-parts.ts'
import { realPath } from '../trust/own-homes.ts'
import type { Right } from '../trust/right.ts'
import { isTrusted, trust } from '../trust/trusted-folders.ts'
import type { SessionListeners } from './code-session.ts'
import { type FolderTexts, readFolderTexts } from './folder-texts.ts'
import { sessionInput } from './session-messages.ts'

/**
 * Whether a folder's instructions to models count as the person's own: because the person trusted the folder earlier,
 * or does so when asked. A folder without instructions is not asked about; if nobody can be asked, it is not trusted.
 */
export async function askTrust(
  parts: AppParts,
  { workspace, skills = [] }: CodeInput,
  onPermission: SessionListeners['onPermission'],
  signal: AbortSignal,
): Promise<boolean> {
  const { environment, home } = parts
  const texts = await readFolderTexts(workspace, home.path, skills)
  const { root } = texts
  const entry = { kind: 'instructions', path: root } as const
  if (isTrusted(environment, entry)) return true
  const told = toldBy(texts)
  if (told.length === 0 || onPermission === undefined) return false
  const answer = await onPermission(questionAbout(root, told), signal)
  const { decision } = parsePermission(answer as Json)
  if (decision !== 'always') return decision === 'once'
  const problem = trust(environment, entry)
  if (problem !== undefined)
    parts.warn(
      `Your decision about ${root} could not be saved (${problem}); you will be asked again next time.`,
    )
  return true
}

/** What confirming a folder's trust needs. */
export interface TrustAsked extends Pick<SessionListeners, 'onPermission'> {
  readonly isTrusted?: boolean | undefined
  readonly signal?: AbortSignal
}

/**
 * The trust a session started with, if the person grants it again or still trusts the folder; never trust that it did
 * not start with.
 */
export async function readKeptTrust(
  parts: AppParts,
  runId: string,
  { isTrusted: said, onPermission, signal = new AbortController().signal }: TrustAsked,
): Promise<readonly Right[]> {
  const input = await sessionInput(parts.store, runId)
  if (input.isTrusted !== true) return []
  const isThere = realPath(input.workspace) !== undefined
  const isKept = said ?? (isThere && (await askTrust(parts, input, onPermission, signal)))
  return isKept ? [{ kind: 'trust', value: '' }] : []
}

/** The texts that come from the folder itself, by name. */
function toldBy({ system, agents, shippedSkills }: FolderTexts): readonly string[] {
  return [
    ...(system === undefined ? [] : [system.path]),
    ...agents.map(({ path }) => path),
    ...shippedSkills.map(({ name }) => `skill ${name}`),
  ]
}

function questionAbout(root: string, told: readonly string[]): PermissionRequest {
  const title = `follow what ${root} tells models (${told.join(', ')})`
  return {
    kind: 'trust',
    callId: 'trust',
    toolName: 'trust',
    preview: sanitizePreview({ title, paths: [], changes: [] }),
    reason:
      'Someone else may have written it. Unless you trust it, it counts as untrusted text, and you are asked about every change. To undo "always": scholium trust remove DIR',
    always: [`trust ${root}`],
  }
}
