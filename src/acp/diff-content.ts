import { resolve } from 'node:path'
import type { ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk'
import type { PermissionRequest } from '../app.ts'
import { fencedWhole, textContent } from './text-content.ts'

type Preview = PermissionRequest['preview']

/** A preview of a call, as editors show it. */
export interface ShownPreview {
  readonly content: ToolCallContent[]
  readonly locations: ToolCallLocation[]
}

/** A preview for an editor: each hunk of a diff as old and new lines, a command as it would run. */
export function shownPreview(preview: Preview, workspace: string): ShownPreview {
  const { title, diff = '', command, paths } = preview
  const [path] = paths
  const hunks = path === undefined ? [] : diffHunks(diff)
  const locations = paths.map((one, index) => {
    const line = index === 0 ? hunks[0]?.line : undefined
    return { path: resolve(workspace, one), ...(line === undefined ? {} : { line }) }
  })
  const texts = [
    // For a command, the title says where it runs; `run` alone adds nothing.
    ...(diff === '' && title !== 'run' ? [textContent(fencedWhole(title))] : []),
    ...(command === undefined ? [] : [textContent(fencedWhole(command, 'sh'))]),
    ...(diff !== '' && (hunks.length === 0 || diff.endsWith('\n… (cut)\n'))
      ? [
          textContent(
            fencedWhole(
              hunks.length === 0 ? diff : 'The rest of the change is too long to be shown.',
            ),
          ),
        ]
      : []),
  ]
  const isNew = diff.startsWith('--- /dev/null\n')
  const diffs = hunks.map(({ oldText, newText }): ToolCallContent => {
    const whole = { type: 'diff', path: resolve(workspace, path ?? ''), newText } as const
    return isNew ? whole : { ...whole, oldText }
  })
  return { content: [...diffs, ...texts], locations }
}

interface Hunk {
  readonly oldText: string
  readonly newText: string
  /** Its first line in the new text, from 1. */
  readonly line: number
}

/** The hunks of a unified diff of one file. */
function diffHunks(diff: string): readonly Hunk[] {
  const [, ...parts] = diff.split(/^(?=@@ )/m)
  return parts.map((part) => {
    const [head = '', ...lines] = part.split('\n')
    const line = Number(/\+(\d+)/.exec(head)?.[1] ?? 1)
    return {
      line: Math.max(1, line),
      oldText: formatSide(lines, '-'),
      newText: formatSide(lines, '+'),
    }
  })
}

function formatSide(lines: readonly string[], sign: '-' | '+'): string {
  const own: string[] = []
  let isOwn = false
  let endsOpen = false
  for (const line of lines) {
    // It means that the file ends without a line break after the previous line.
    if (line.startsWith('\\')) endsOpen ||= isOwn
    else isOwn = line.startsWith(' ') || line.startsWith(sign)
    if (isOwn && !line.startsWith('\\')) own.push(line.slice(1))
  }
  return own.length === 0 ? '' : `${own.join('\n')}${endsOpen ? '' : '\n'}`
}
