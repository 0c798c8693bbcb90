import { z } from 'zod'
import { amount, flag, target, text, whole } from './parts.ts'

/** What happens when a node or step fails. */
export const onError = z
  .strictObject(
    {
      mode: z
        .enum(['raise', 'graceful', 'retry'], 'must be raise, graceful or retry')
        .optional()
        .meta({
          description:
            'raise ends the run; graceful goes on with the error in the state; retry tries again first. Default: raise.',
        }),
      max_retries: whole(0, 100).optional().meta({ description: 'How often to try again.' }),
      retry_delay: amount(0, 300)
        .optional()
        .meta({ description: 'Seconds before the first retry.' }),
      backoff_multiplier: amount(1, 10)
        .optional()
        .meta({ description: 'Each wait is so many times the one before.' }),
      fallback: target().optional().meta({ description: 'The node to go on with when all fails.' }),
    },
    'must be a map, as in {mode: retry, max_retries: 3}',
  )
  .meta({ id: 'on_error', description: 'What happens when the node fails.' })

/** How often a node or step is tried again. */
export const retry = z
  .union(
    [
      whole(0, 100),
      z.strictObject({
        max_retries: whole(0, 100).meta({ description: 'How often to try again.' }),
        retry_delay: amount(0, 300)
          .optional()
          .meta({ description: 'Seconds before the first retry.' }),
        backoff_multiplier: amount(1, 10)
          .optional()
          .meta({ description: 'Each wait is so many times the one before.' }),
      }),
    ],
    'must be a number of retries, or a map as in {max_retries: 3}',
  )
  .meta({ id: 'retry', description: 'How often the node is tried again when it fails.' })

/** Whether the result of a node or step is kept. */
export const cache = z
  .union(
    [
      flag(),
      z.strictObject({
        key: text()
          .optional()
          .meta({ description: 'A template: the same text gives the kept result.' }),
        ttl: whole(1, 31_536_000).optional().meta({ description: 'Seconds it is kept.' }),
      }),
    ],
    'must be true, false, or a map as in {ttl: 3600}',
  )
  .meta({ id: 'cache', description: 'Whether the result is kept for the same input.' })
