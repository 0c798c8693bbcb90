/** What is wrong with an expression or what it was given, and where in its text, from 1. */
export class ExpressionError extends Error {
  readonly column: number | undefined

  constructor(message: string, column?: number) {
    super(message)
    this.column = column
  }
}
