import { z } from 'zod'
import { above0, filled, mapAs, wholeFrom } from './schema-forms.ts'

/** Settings of MCP servers. */
export const mcpSchema = z
  .strictObject(
    {
      servers: z
        .union(
          [z.boolean(), z.array(filled('must be a name'))],
          'must be true, false or a list of names',
        )
        .optional()
        .meta({
          description:
            'Which MCP servers questions may use: all, none, or these. A project can only switch them off.',
          examples: [['browser']],
        }),
      config: filled('must be a path')
        .optional()
        .meta({
          description:
            'The file with the servers, as other tools write it. Default: `.mcp.json` next to your own configuration file and then, with --mcp, that of the project.',
          examples: ['servers/.mcp.json'],
        }),
      allow: z
        .array(filled('must be the name of a tool'), 'must be a list of names of tools')
        .optional()
        .meta({
          description:
            'Tools that may change something and may be called all the same; * stands for any characters.',
          examples: [['files.write_file']],
        }),
    },
    mapAs('mcp: {servers: [browser]}'),
  )
  .optional()
  .meta({ description: 'MCP servers, whose tools the researchers get.' })

/** Settings of Python. */
export const pythonSchema = z
  .strictObject(
    {
      enabled: z
        .boolean('must be true or false')
        .optional()
        .meta({
          description:
            'Whether the expert may run Python, in a process without files and network. Default: where its package is installed.',
          examples: [false],
        }),
      timeoutSeconds: above0()
        .max(600, 'must be at most 600')
        .optional()
        .meta({
          description:
            'How long one piece of code may run. A project may only lower it, as memoryMb.',
          examples: [30],
        }),
      memoryMb: wholeFrom(320)
        .optional()
        .meta({
          description: 'Megabytes of the process that runs it, of which the interpreter takes 190.',
          examples: [1024],
        }),
    },
    mapAs('python: {enabled: false}'),
  )
  .optional()
  .meta({ description: 'Python for the expert.' })
