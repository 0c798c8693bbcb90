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
            'raise ends the run; graceful continues with the error in the state; retry tries again first. Default: raise.',
        }),
      max_retries: whole(0, 100).optional().meta({ description: 'Maximum number of retries.' }),
      retry_delay: amount(0, 300)
        .optional()
        .meta({ description: 'Seconds before the first retry.' }),
      backoff_multiplier: amount(1, 10)
        .optional()
        .meta({ description: 'Factor by which each wait grows.' }),
      fallback: target()
        .optional()
        .meta({ description: 'The node to continue with if everything fails.' }),
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
        max_retries: whole(0, 100).meta({ description: 'Maximum number of retries.' }),
        retry_delay: amount(0, 300)
          .optional()
          .meta({ description: 'Seconds before the first retry.' }),
        backoff_multiplier: amount(1, 10)
          .optional()
          .meta({ description: 'Factor by which each wait grows.' }),
      }),
    ],
    'must be a number of retries, or a map as in {max_retries: 3}',
  )
  .meta({ id: 'retry', description: 'Retries if the node fails.' })

/** Whether the result of a node or step is kept. */
export const cache = z
  .union(
    [
      flag(),
      z.strictObject({
        key: text().optional().meta({ description: 'A template for the cache key.' }),
        ttl: whole(1, 31_536_000).optional().meta({ description: 'Seconds to keep it.' }),
      }),
    ],
    'must be true, false, or a map as in {ttl: 3600}',
  )
  .meta({ id: 'cache', description: 'Whether to cache the result for the same input.' })
