import type { WorkspaceFiles } from './file-changes.ts'
import type { CodeSettings } from './settings.ts'
import type { RefusedCall } from './state.ts'
import type { CodeTool, Preview } from './tools/code-tool.ts'

/** What a decision on a call rests on and what it leaves. */
export interface PermitSite {
  readonly files: WorkspaceFiles
  readonly isUnattended: boolean
  /** Whether an earlier execution may have judged under wider settings. */
  readonly isReduced: boolean
  readonly settings: () => CodeSettings
  /** Names of tools that the operator has allowed, beside the session's rules. */
  readonly allowed: readonly string[]
  /** Whether asking at an address tells its owner nothing that the person did not mean to be told. */
  isKnownAddress(address: string): boolean
  /** The tools of the session under rules; another set where a rule was added. */
  toolsUnder(settings: Pick<CodeSettings, 'allow' | 'deny'>): readonly CodeTool[]
  /** Hears of each call that changes something and was let through. */
  onAllow(callId: string, preview: Preview): void
  onRefused(call: RefusedCall): void
  onAllowed(rules: readonly string[]): void
}
