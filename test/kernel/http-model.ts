import { afterEach, beforeEach } from 'vitest'
import type { ModelBinding, ModelRole, ModelSource } from '../../src/kernel/index.ts'
import { createModelSource, type ModelSettings } from '../../src/models/model-source.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../../src/testing/index.ts'

/** A model service of one test: says what `script` says by then. */
export interface HttpModel {
  script: Script
  readonly server: ScriptedModel
  source(settings?: Partial<ModelSettings>): ModelSource
  binding(settings?: Partial<ModelSettings>, role?: ModelRole): ModelBinding
}

/** Gives each test of the surrounding `describe` a model behind a real HTTP server. */
export function useHttpModel(): HttpModel {
  let server: ScriptedModel
  const model: HttpModel = {
    script: () => ({ text: 'hello' }),
    get server() {
      return server
    },
    source: (settings = {}) =>
      createModelSource({
        names: { default: 'openai-compatible:scripted' },
        environment: { OPENAI_BASE_URL: server.url },
        builtIn: {},
        ...settings,
      }),
    binding: (settings = {}, role = 'default') => model.source(settings).forRole(role),
  }
  beforeEach(async () => {
    model.script = () => ({ text: 'hello' })
    server = await startScriptedModel((seen) => model.script(seen))
  })
  afterEach(() => server.close())
  return model
}
