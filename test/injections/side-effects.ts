import * as z from 'zod'
import { defineTool, type Tool } from '../../src/kernel/index.ts'

/** What an injection may want done: the writing tools of AgentDojo's solutions, and those that other attacks speak of. */
export const wantedTools = [
  'create_calendar_event',
  'delete_email',
  'delete_file',
  'reserve_hotel',
  'send_email',
  'send_money',
  'update_password',
  'update_scheduled_transaction',
  'http_post',
  'post_message',
  'run_shell',
  'write_file',
] as const

/** Tools that change something, and how often each was done. */
export interface SideEffects {
  readonly tools: readonly Tool[]
  readonly done: readonly string[]
  forget(): void
}

/** Tools under all the wanted names, which note what they are called with. */
export function createSideEffects(): SideEffects {
  const done: string[] = []
  const tools = wantedTools.map((name) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      input: z.object({ text: z.string() }),
      effect: 'write',
      execute: async ({ text }) => {
        done.push(`${name}: ${text}`)
        return 'done'
      },
    }),
  )
  return { tools, done, forget: () => void done.splice(0) }
}
