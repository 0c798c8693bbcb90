import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelRole, Price, ReasoningEffort } from '../kernel/model/model.ts'

/** A role's model and how to reach it. */
export interface RoleModel {
  /** `provider:model`, or `extractive`. */
  readonly name: string
  /** Default: the provider's environment variable, otherwise its public URL. */
  readonly baseUrl?: string
  /** Default: the provider's environment variable. Never recorded. */
  readonly apiKey?: string
  /** 0 to 2. Default 0. */
  readonly temperature?: number
  /** Default: the model's maximum if known, otherwise 32,000; no limit on a self-hosted server. */
  readonly maxOutputTokens?: number
  /** The context window in tokens. Default: as its server says, otherwise as known of the model. */
  readonly contextTokens?: number
  /** How much it thinks before it answers, where its service can be told. Default: as the service does. */
  readonly reasoningEffort?: ReasoningEffort
  /** Time limit of one attempt, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number
  /** Whether it accepts images. Default: as its name suggests, if known. */
  readonly vision?: boolean
  /** Whether the answer is streamed. Default true. */
  readonly isStreamed?: boolean
}

/** Models by role; other roles use `default`. A string is a model name. */
export type NamedModels = { readonly [role in ModelRole]?: string | RoleModel }

/** A model: its name `provider:model`, a name with settings, or an AI SDK model object. */
export type ModelChoice = string | RoleModel | LanguageModelV4

/** Models by role; other roles use `default`, except `embedding`, which takes an embedding model. */
export type ModelChoices = { readonly [role in Exclude<ModelRole, 'embedding'>]?: ModelChoice } & {
  readonly embedding?: string | RoleModel | EmbeddingModelV4
}

/** Model objects by the names under which runs record them. */
export type ModelObjects = Record<string, LanguageModelV4 | EmbeddingModelV4>

/** All settings from which models are created. */
export interface ModelSettings {
  readonly choices: NamedModels
  /** Environment variables; keys and base URLs are read when a model is first used. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** By model name; they take precedence over the built-in table. */
  readonly prices?: Readonly<Record<string, Price>>
  /** Model objects by name; they take precedence over built-in providers. */
  readonly objects?: ModelObjects
  /** Whether no model will be called, as in a replay; then no address or key is needed. */
  readonly isOffline?: boolean
  /** Engines that run in this process, by name. */
  readonly builtIn: Readonly<Record<string, () => Promise<LanguageModelV4>>>
  /** Custom providers by name, in addition to the built-in ones; each creates a model from the text after the colon. */
  readonly providers?: Readonly<Record<string, (model: string) => LanguageModelV4>>
}
