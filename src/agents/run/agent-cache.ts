import type { Json } from '../../kernel/json.ts'

/** Results that are kept from one run to another. */
export interface AgentCache {
  /** `undefined`: there is none, or it is too old. */
  get(key: string): Promise<Json | undefined>
  /** @param ttlSeconds how long it is kept; absent: as long as the cache lasts */
  set(key: string, value: Json, ttlSeconds?: number): Promise<void>
}
