import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { CodeSettings, SettingsChange } from '../app.ts'
import { chooseMode, configOptions, type ModeId, modeChange, modeState } from './session-modes.ts'

/** The settings of a session that an editor shows. */
export type ShownSettings = Pick<CodeSettings, 'allow' | 'isYolo'> & { readonly model: string }

/** A session's settings, with what the person has changed since the last request: changes apply from the next one. */
export class WantedSettings {
  /** The current settings. */
  private readonly now: () => ShownSettings
  /** The models to choose from. */
  private readonly models: readonly string[]
  private wantedMode: ModeId | undefined
  private wantedModel: string | undefined

  constructor(now: () => ShownSettings, models: readonly string[]) {
    this.now = now
    this.models = models
  }

  get mode(): ModeId {
    return this.wantedMode ?? chooseMode(this.now())
  }

  set mode(mode: ModeId) {
    this.wantedMode = mode
  }

  get model(): string {
    return this.wantedModel ?? this.now().model
  }

  set model(model: string) {
    this.wantedModel = model
  }

  /** Whether the person has just said that edits need no asking. */
  get acceptsEdits(): boolean {
    return this.wantedMode === 'accept-edits'
  }

  get modes(): SessionModeState {
    return modeState(this.mode)
  }

  get options(): SessionConfigOption[] {
    return configOptions(this.mode, this.model, this.models)
  }

  /** The change that is wanted. */
  get change(): SettingsChange {
    const { wantedMode: mode, wantedModel: model } = this
    return {
      ...(mode === undefined ? {} : modeChange(mode, this.now())),
      ...(model === undefined ? {} : { model }),
    }
  }

  /** What was wanted is set now, or cannot be. */
  settle(): void {
    this.wantedMode = undefined
    this.wantedModel = undefined
  }
}
