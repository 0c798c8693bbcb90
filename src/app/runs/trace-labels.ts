import { ScholiumError } from '../../kernel/errors.ts'
import type { Environment } from '../trust/user-folders.ts'

/** Labels of a run in traces. */
export interface RunLabels {
  /** Groups runs, such as a conversation or a batch. Default: `SCHOLIUM_SESSION_ID`. */
  readonly session?: string
  /** The user. Default: `SCHOLIUM_USER_ID`. */
  readonly user?: string
  /** What started the run, such as `server`. Default: none. */
  readonly origin?: string
  /** What a program wants to see again of its request, as JSON. Default: none. */
  readonly request?: string
}

const longest = 200
const longestRequest = 100_000

/** The labels of an execution, or `undefined` for none. @throws `invalid_input` for a label that is too long, or an id with control characters */
export function readLabels(
  given: RunLabels,
  environment: Environment,
): Readonly<Record<string, string>> | undefined {
  const session = given.session ?? environment.SCHOLIUM_SESSION_ID
  const user = given.user ?? environment.SCHOLIUM_USER_ID
  const labels = {
    ...(session ? { session: checked('session', session) } : {}),
    ...(user ? { user: checked('user', user) } : {}),
    ...(given.origin ? { origin: checked('origin', given.origin) } : {}),
    ...(given.request ? { request: checkedRequest(given.request) } : {}),
  }
  return Object.keys(labels).length === 0 ? undefined : labels
}

function checked(name: string, id: string): string {
  if (id.length <= longest && !/[\p{Cc}\p{Cs}]/u.test(id)) return id
  throw new ScholiumError('invalid_input', `Invalid ${name} id.`, {
    hint: `Use at most ${longest} characters on one line.`,
  })
}

function checkedRequest(request: string): string {
  if (request.length <= longestRequest) return request
  throw new ScholiumError('invalid_input', 'The request has too much to keep.', {
    hint: `Use at most ${longestRequest} characters for its instructions, tools and metadata.`,
  })
}
