import { type Reading, refused, type Unreadable } from '../../document.ts'

/** Why a document in a zip archive gives nothing: thrown inside its reader, whose outcome it becomes. */
export class UnreadablePart extends Error {
  readonly unreadable: Unreadable

  constructor(unreadable: Unreadable) {
    super(unreadable.detail)
    this.unreadable = unreadable
  }
}

/** What a reader gives, or the refusal that an {@link UnreadablePart} in it carries. */
export async function orUnreadable(read: () => Promise<Reading>): Promise<Reading> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UnreadablePart) return refused(error.unreadable)
    throw error
  }
}
