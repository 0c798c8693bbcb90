import type { Json } from '../../../../kernel/json.ts'

/** An expression as a tree. */
export type Expression =
  | { readonly kind: 'current' }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly bounds: readonly (number | undefined)[] }
  | { readonly kind: 'literal'; readonly value: Json }
  /** The right one on what the left one gives. */
  | { readonly kind: 'then'; readonly left: Expression; readonly right: Expression }
  /** The right one on each item of what the left one gives. */
  | {
      readonly kind: 'each'
      readonly of: 'list' | 'values' | 'flattened'
      readonly left: Expression
      readonly right: Expression
      /** Which items. */
      readonly where?: Expression
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly members: readonly (readonly [string, Expression])[] }
  | {
      readonly kind: 'compare'
      readonly mark: Comparison
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly inner: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly given: readonly Expression[] }
  /** An expression handed to a function. */
  | { readonly kind: 'reference'; readonly inner: Expression }

/** How two values are compared. */
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='
