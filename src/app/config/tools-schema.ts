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
            'MCP servers that questions may use: all, none, or those listed. A project can only disable them.',
          examples: [['browser']],
        }),
      config: filled('must be a path')
        .optional()
        .meta({
          description:
            "File that defines the servers, in the usual format. Default: `.mcp.json` next to your own configuration file, then, with --mcp, the project's.",
          examples: ['servers/.mcp.json'],
        }),
      allow: z
        .array(filled('must be the name of a tool'), 'must be a list of names of tools')
        .optional()
        .meta({
          description:
            'Tools that may have side effects but are allowed anyway; * matches any characters.',
          examples: [['files.write_file']],
        }),
    },
    mapAs('mcp: {servers: [browser]}'),
  )
  .optional()
  .meta({ description: 'MCP servers whose tools researchers can use.' })

/** Settings of Python. */
export const pythonSchema = z
  .strictObject(
    {
      enabled: z
        .boolean('must be true or false')
        .optional()
        .meta({
          description:
            'Whether the expert may run Python, in a sandbox without files or network. Default: if its package is installed.',
          examples: [false],
        }),
      timeoutSeconds: above0()
        .max(600, 'must be at most 600')
        .optional()
        .meta({
          description:
            'Time limit per execution in seconds. A project can only lower it, like memoryMb.',
          examples: [30],
        }),
      memoryMb: wholeFrom(320)
        .optional()
        .meta({
          description:
            'Memory limit of the Python process in megabytes; the interpreter itself takes 190.',
          examples: [1024],
        }),
    },
    mapAs('python: {enabled: false}'),
  )
  .optional()
  .meta({ description: 'Python for the expert.' })
