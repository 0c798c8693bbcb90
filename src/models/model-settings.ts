import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelRole, Price } from '../kernel/model/model.ts'

/** The model of a role, and how it is reached. */
export interface RoleModel {
  /** `provider:model`, or `extractive`. */
  readonly name: string
  /** Default: the provider's variable of the environment, or its public address. */
  readonly baseUrl?: string
  /** Default: the provider's variable of the environment. Never recorded. */
  readonly apiKey?: string
  /** 0 to 2. Default 0. */
  readonly temperature?: number
  /** Default: the longest answer that the model gives where that is known, else 32,000; none for a server of the person's own. */
  readonly maxOutputTokens?: number
  /** How long one attempt may take, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number
  /** Whether it takes pictures. Default: by its name, where that is known. */
  readonly vision?: boolean
  /** Whether the answer is read as it is written. Default true. */
  readonly isStreamed?: boolean
}

/** Models by role; a role that is not named uses `default`. A text is a name alone. */
export type NamedModels = { readonly [role in ModelRole]?: string | RoleModel }

/** A model: its name `provider:model`, a name with how it is reached, or a model object of the AI SDK. */
export type ModelChoice = string | RoleModel | LanguageModelV4

/** Models by role; a role that is not named uses `default`. */
export type ModelChoices = { readonly [role in Exclude<ModelRole, 'embedding'>]?: ModelChoice } & {
  readonly embedding?: string | RoleModel
}

/** Model objects by the names under which runs record them. */
export type ModelObjects = Record<string, LanguageModelV4>

/** What the models are chosen and reached with. */
export interface ModelSettings {
  readonly choices: NamedModels
  /** Environment variables: keys and base URLs are read when a model is first used. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** By model name; before the built-in table. */
  readonly prices?: Readonly<Record<string, Price>>
  /** Model objects by their names, before models that have to be made. */
  readonly objects?: ModelObjects
  /** Whether no model will be called, as in a replay: then none needs an address or a key. */
  readonly isOffline?: boolean
  /** Engines that compute here, by name. */
  readonly builtIn: Readonly<Record<string, () => Promise<LanguageModelV4>>>
  /** More providers by name, beside the built-in ones: each makes a model from what stands behind the colon. */
  readonly providers?: Readonly<Record<string, (model: string) => LanguageModelV4>>
}
