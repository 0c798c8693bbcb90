import * as z from 'zod'
import type { JsonObject } from '../json.ts'
import { memoizeByIdentity } from '../run/memoize-by-identity.ts'

/** The JSON Schema of a Zod schema's input; the same object for the same schema. */
export const toJsonSchema = memoizeByIdentity(
  (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' }) as JsonObject,
)
