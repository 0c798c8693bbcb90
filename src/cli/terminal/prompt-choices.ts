import type { PromptLine } from '../../app.ts'
import type { Choice } from './editor-state.ts'

/** The prompts of MCP servers, for who types one. The servers are asked in the background when they are first needed. */
export class PromptChoices {
  private readonly load: () => Promise<readonly PromptLine[]>
  private choices: readonly Choice[] = []
  private isAsked = false

  constructor(load: () => Promise<readonly PromptLine[]>) {
    this.load = load
  }

  /** Those that are known by now. */
  get list(): readonly Choice[] {
    if (!this.isAsked) {
      this.isAsked = true
      void this.ask()
    }
    return this.choices
  }

  private async ask(): Promise<void> {
    try {
      const prompts = await this.load()
      this.choices = prompts.map(({ name, parameters, description }) => ({
        text: name,
        note: `${parameters.map((parameter) => `${parameter}=…`).join(' ')} ${description}`.trim(),
      }))
    } catch {
      // A configuration that cannot be used is told with the first request.
    }
  }
}
