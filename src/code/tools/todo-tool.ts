import * as z from 'zod'
import { type CodeTool, declareCodeTool, type Todo } from './code-tool.ts'

type Todos = { readonly todos: readonly Todo[] }

const todo = z.preprocess(
  (value) => {
    if (typeof value === 'string') return { text: value }
    if (value === null || typeof value !== 'object') return value
    const { text, content, task, ...others } = value as Record<string, unknown>
    return { ...others, text: text ?? content ?? task }
  },
  z.object({
    text: z.string().trim().min(1).max(500),
    status: z
      .preprocess(
        (value) => (value === 'completed' ? 'done' : value === 'cancelled' ? 'dropped' : value),
        z.enum(['pending', 'in_progress', 'done', 'dropped']),
      )
      .default('pending'),
  }),
)

const signs: Readonly<Record<Todo['status'], string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  done: '[x]',
  dropped: '[-]',
}

/** Creates the tool for the to-do list. It stores nothing: its result is the new list. */
export function createTodoTool(): CodeTool {
  return declareCodeTool({
    name: 'todo',
    description:
      'Puts down the list of what is to be done, in place of the one before: give all of it each time. For work of several steps; one at a time is in_progress.',
    input: z.object({ todos: z.array(todo).max(100) }),
    otherNames: { todos: ['items', 'list', 'tasks'] },
    effect: 'pure',
    execute: async ({ todos }): Promise<Todos> => ({ todos }),
    present: ({ todos }: Todos) =>
      todos.map(({ text, status }) => `${signs[status]} ${text}`).join('\n') || '(nothing to do)',
  })
}
