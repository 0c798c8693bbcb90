import type { Message } from '../agent/message.ts'
import type { Tool } from '../agent/tool.ts'
import type { Json, JsonObject } from '../json.ts'

/** A request to a model. */
export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[]
  /** JSON Schema of the answer, when it shall be one JSON object. */
  readonly responseSchema?: JsonObject
  /** The typed input of the role, in addition to the prompt, for engines that read no prompts. */
  readonly roleRequest?: Json
  /** How many leading messages the previous call of the same conversation had: the log then names only the new ones. */
  readonly knownCount?: number
}
