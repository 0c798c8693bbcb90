import { toFailure } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { PermissionRequest } from '../../workflows/code/events.ts'
import { readPermission, shownPreview } from '../../workflows/code/permission.ts'
import type { CodeInput } from '../../workflows/code/settings.ts'
import type { AppParts } from '../app-parts.ts'
import { isTrustedFolder, trustFolder } from '../trusted-folders.ts'
import type { SessionListeners } from './code-session.ts'
import { type FolderTexts, readFolderTexts } from './folder-texts.ts'

/**
 * Whether what a folder tells models counts as the person's own instructions: because they said so before, or say so now. A folder
 * that tells nothing is not asked about; where nobody is there to be asked, it is not trusted.
 */
export async function askTrust(
  { environment, home, options }: Pick<AppParts, 'environment' | 'home' | 'options'>,
  { workspace, skills = [] }: CodeInput,
  onPermission: SessionListeners['onPermission'],
  signal: AbortSignal,
): Promise<boolean> {
  const texts = await readFolderTexts(workspace, home.path, skills)
  const { root } = texts
  if (isTrustedFolder(environment, 'instructions', root)) return true
  const told = toldBy(texts)
  if (told.length === 0 || onPermission === undefined) return false
  const answer = await onPermission(questionAbout(root, told), signal)
  const { decision } = readPermission(answer as Json)
  if (decision !== 'always') return decision === 'once'
  try {
    trustFolder(environment, 'instructions', root)
  } catch (error) {
    const { message, hint = '' } = toFailure(error)
    const { onWarning = (text: string) => process.emitWarning(text) } = options
    onWarning(`${message} ${hint}`.trim())
  }
  return true
}

/** What of the texts is the folder's own, by name. */
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
    preview: shownPreview({ title, paths: [], changes: [] }),
    reason:
      'Somebody else may have written it. Without your trust it counts as text from elsewhere, and each change is asked about.',
    always: [`trust ${root}`],
  }
}
