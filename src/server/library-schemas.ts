import { z } from '@hono/zod-openapi'

/** The id of a source. */
export const sourceId = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .openapi({ description: 'The SHA-256 of the file that was read.' })

/** What is known of a source. */
export const source = z
  .looseObject({ id: sourceId, kind: z.string(), title: z.string(), sizeBytes: z.int() })
  .openapi('Source')

/** A passage of a source. */
export const passage = z.object({
  id: z.string(),
  start: z.int().openapi({ description: 'In UTF-16 code units, in the text of the source.' }),
  end: z.int(),
  page: z.int().optional(),
  section: z.string().optional(),
  text: z.string(),
})
