import * as z from 'zod'
import type { AskedCall } from '../kernel/agent/call-tools.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { visible, visibleLine } from '../kernel/text/visible-text.ts'
import type { PermissionAnswer, PermissionRequest } from './events.ts'
import type { Judged } from './judge-call.ts'
import type { Preview } from './tools/code-tool.ts'

const given = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.enum(['once', 'always']) }),
  z.strictObject({ decision: z.literal('no'), note: z.string().optional() }),
])

const yes = /^(?:y|yes|ok|once|allow|approve)[.!]?$/i
const forever = /^(?:a|always)[.!]?$/i
const no = /^(?:n|no|deny|refuse|stop)\b[.,:;!]?\s*/i

/** Asks a person about a call, once for each call; a run without anybody to answer waits. @throws `waiting` */
export async function askPermission(
  { context, tool, toolCallId }: AskedCall,
  preview: Preview,
  { reason, always }: Judged,
): Promise<PermissionAnswer> {
  const request: PermissionRequest = {
    kind: 'permission',
    callId: toolCallId,
    toolName: tool.name,
    preview: shownPreview(preview),
    reason: visible(reason),
    always,
  }
  return readPermission(await context.ask('permission', request as unknown as JsonObject))
}

/** A preview as a person has to see it. */
export function shownPreview({ title, diff, command, ...others }: Preview): Preview {
  return {
    title: visibleLine(title),
    ...(diff === undefined ? {} : { diff: visible(diff) }),
    ...(command === undefined ? {} : { command: visible(command) }),
    ...others,
  }
}

/** What a person said: an object, `true` or `false`, or words. Words that are neither yes nor always are a no with a note. */
export function readPermission(answer: Json): PermissionAnswer {
  if (answer === true) return { decision: 'once' }
  if (answer === false) return { decision: 'no' }
  if (typeof answer === 'string') return readWords(answer.trim())
  const parsed = given.safeParse(answer)
  if (!parsed.success) return { decision: 'no' }
  const { data } = parsed
  if (data.decision !== 'no') return data
  return data.note === undefined ? { decision: 'no' } : { decision: 'no', note: data.note }
}

function readWords(words: string): PermissionAnswer {
  if (yes.test(words)) return { decision: 'once' }
  if (forever.test(words)) return { decision: 'always' }
  const note = words.replace(no, '')
  return note === '' ? { decision: 'no' } : { decision: 'no', note }
}
