/** A value that does not fit, and where: `/users/0/name` as RFC 6901 writes it, empty for the whole. */
export type SchemaError = {
  readonly path: string
  readonly message: string
  /** The keyword that it breaks. */
  readonly keyword: string
}

/** A schema that cannot be used, and where in it. */
export class BadSchema extends Error {}

/** What a check needs of the one around it. */
export interface SchemaCheck {
  /** The whole schema, into which `$ref` leads. */
  readonly root: unknown
  /** How many `$ref` lie around: one that leads to itself for the same value would never end. */
  readonly depth: number
}
