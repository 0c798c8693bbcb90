import * as z from 'zod'
import type { CodeTool, FileResult } from '../code-tool.ts'
import { declareCodeTool, pathNames } from '../declare-tool.ts'
import type { CodeWorkspace } from './code-workspace.ts'
import { type ReadLines, readLines } from './read-lines.ts'

type ReadResult = FileResult & ReadLines & { readonly offset: number }

const defaultLines = 2_000

/** Reads lines of a file. */
export function createReadTool(workspace: CodeWorkspace): CodeTool {
  return declareCodeTool({
    name: 'read',
    description: `Reads a text file of the workspace, ${defaultLines} lines unless told otherwise. Each line comes as \`number:hash|text\`: the number and the hash, as in 12:9af3, name the line for \`edit\`, and are no part of the text. Says when there is more.`,
    input: z.object({
      path: z.string().min(1).describe('The file, from the workspace on.'),
      offset: z.coerce.number().int().min(1).default(1).describe('The first line to read.'),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(10_000)
        .default(defaultLines)
        .describe('How many lines.'),
    }),
    otherNames: { path: pathNames },
    effect: 'read',
    async execute({ path, offset, limit }, { signal }): Promise<ReadResult> {
      const place = await workspace.readable(path)
      return { path: place.way, offset, ...(await readLines(place, { offset, limit }, signal)) }
    },
    readsFiles: ({ path }) => [path],
    present: presentRead,
  })
}

function presentRead({ lines, offset, totalLines, note, path }: ReadResult): string {
  const last = offset + lines.length - 1
  const notes = note === undefined ? [] : [`(${note})`]
  if (totalLines === 0) return [`(${path} is empty)`, ...notes].join('\n')
  if (lines.length === 0)
    return [`(${path} has ${totalLines ?? 'fewer'} lines, none from ${offset} on)`, ...notes].join(
      '\n',
    )
  if (totalLines === null) notes.push(`(read on with offset ${last + 1}, if there is more)`)
  else if (last < totalLines)
    notes.push(`(lines ${offset} to ${last} of ${totalLines}; read on with offset ${last + 1})`)
  return [...lines, ...notes].join('\n')
}
