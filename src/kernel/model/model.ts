import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'

/** The parts that models play. A role without its own model uses `default`. */
export type ModelRole =
  | 'default'
  | 'planner'
  | 'researcher'
  | 'expert'
  | 'critic'
  | 'finalizer'
  | 'verifier'
  | 'analyzer'
  | 'synthesizer'
  | 'embedding'

/** US dollars for a million tokens. */
export interface TokenPrice {
  readonly inputUsdPerMTok: number
  readonly outputUsdPerMTok: number
  /** US dollars per million input tokens read from the provider's cache. Default: as other input. */
  readonly cachedInputUsdPerMTok?: number
  /** US dollars per million input tokens written to the provider's cache. Default: as other input. */
  readonly cacheWriteUsdPerMTok?: number
}

/** What a model costs. */
export interface Price extends TokenPrice {
  /** Price of a whole call whose prompt has more than `aboveTokens` tokens. Default: the same price. */
  readonly longPrompt?: TokenPrice & { readonly aboveTokens: number }
}

/** Where a model is reached, for what is said when that fails. Holds no secret. */
export interface ModelReach {
  readonly provider: string
  readonly baseUrl?: string
  /** The environment variable that the key belongs in. */
  readonly keyVariable?: string
}

/** How many tokens a model takes and gives, as far as that is known. */
export interface ModelSizes {
  /** A prompt and its answer together. */
  readonly windowTokens?: number
  /** One answer. */
  readonly outputTokens?: number
  /** Whether its server sets the answer length itself, so that no cap is sent. */
  readonly isUncapped?: true
}

/** How much a model thinks before it answers, as services name the degrees. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'

/** A model bound to a role. */
export interface ModelBinding {
  readonly role: ModelRole
  /** `provider:model`, or `extractive`. Part of each step's input. */
  readonly name: string
  /** `pure`: computed here, the same each time and free. `read`: a service that is paid or may answer differently. */
  readonly effect: 'pure' | 'read'
  /** null: not known. */
  readonly price: Price | null
  readonly temperature: number
  /** The most tokens that one answer may have, as the person set it; null: what the model can. Part of each step's input. */
  readonly maxOutputTokens: number | null
  /** How much it thinks. Part of each step's input where it is set. Default: as its service does. */
  readonly reasoningEffort?: ReasoningEffort
  /** What is known of the model; no part of any input. */
  readonly sizes?: ModelSizes
  /**
   * How long it may take until an answer begins or, where it is not streamed, comes whole. Once a streamed answer has begun, half
   * of that in silence ends it, and ten times that does in any case.
   */
  readonly timeoutMs: number
  /** Whether the answer is streamed to listeners; otherwise it comes as a whole. */
  readonly isStreamed: boolean
  /** Whether it is known to take pictures. Default false. */
  readonly takesImages?: boolean
  /** Absent for engines that compute here. */
  readonly reach?: ModelReach
  /** Loads the model on first use. */
  load(): Promise<LanguageModelV4>
}

/** A model that makes vectors of texts: what the role `embedding` has. */
export interface EmbeddingBinding {
  /** `provider:model`. Part of each step's input. */
  readonly name: string
  /** A service that is paid or may answer differently. */
  readonly effect: 'read'
  /** Of texts; null: not known. */
  readonly price: Price | null
  /** How long one attempt may take. */
  readonly timeoutMs: number
  readonly reach?: ModelReach
  /** Loads the model on first use. */
  load(): Promise<EmbeddingModelV4>
}

/** Gives the model of each role. */
export interface ModelSource {
  /** The model of a role. */
  forRole(role: ModelRole): ModelBinding
  /**
   * The model of a name (`provider:model`), bound to a role; reached as a role's own model is where one has that name. Absent
   * where a source knows roles alone. Ask for it with `chooseModel`.
   * @throws `invalid_configuration` for a name of no known provider, a missing address or key
   */
  forName?(name: string, role: ModelRole): ModelBinding
  /**
   * The embedding model: of a name, or without one that of the role `embedding`, for which no other role is used;
   * `undefined` where it has none. Absent where a source has no such models. Ask for it with `chooseEmbedding`.
   * @throws `invalid_configuration` for a name that cannot be used, or of a provider without such models
   */
  forEmbedding?(name?: string): EmbeddingBinding | undefined
  /**
   * Asks the servers of these roles' models for their context windows, where nothing is set and the server may know better. Absent
   * where a source can ask none.
   */
  readWindows?(roles: readonly ModelRole[], signal?: AbortSignal): Promise<void>
  /** The context windows, in tokens, that servers gave or a run has recorded, by model name. */
  readonly windows?: Map<string, number>
}
