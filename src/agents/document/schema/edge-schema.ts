import { z } from 'zod'
import { condition, flag, nodeName } from './parts.ts'

const end = (description: string) =>
  nodeName().meta({ description, examples: ['__start__', 'fetch', '__end__'] })

/** An edge: from where to where, and when. */
export const edgeSchema = z.strictObject(
  {
    from: end('Where it starts: a node, or __start__.').optional(),
    to: z
      .union([end('A node.'), z.array(end('A node.'))], 'must be a node, or a list of nodes')
      .optional()
      .meta({ description: 'Where it leads: a node, __end__, or the nodes of parallel branches.' }),
    when: condition().optional().meta({
      description:
        'The edge is taken if this is true. Next to a condition: the value (true or false) it must have.',
    }),
    condition: condition().optional().meta({ description: 'Same as when.' }),
    type: z
      .enum(['normal', 'parallel', 'entry', 'finish'], 'must be normal, parallel, entry or finish')
      .optional()
      .meta({
        description:
          'parallel: one of several branches that run at once; entry: from __start__; finish: to __end__. Default: normal.',
      }),
    parallel: flag().optional().meta({ description: 'Same as type: parallel.' }),
    fan_in: nodeName().optional().meta({
      description: 'For a parallel edge: the node that receives the results of all branches.',
    }),
  },
  'must be a map, as in {from: fetch, to: publish}',
)
