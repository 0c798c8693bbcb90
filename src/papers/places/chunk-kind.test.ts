import { describe, expect, it } from 'vitest'
import { chunkKind } from './chunk-kind.ts'

describe('what a chunk is', () => {
  it.each([
    ['Methods Accuracy\nDD 0.676 ± 0.074\nDD-SVM 0.754 ± 0.054\nB2C 0.672 ± 0.013', 'table'],
    ['| model | EM |\n|---|---|\n| base | large |\n| other | small |', 'table'],
    ['3d-cube 25 27 29 3 0 1.1 2.20x\n3d-morph 5 8 8 2 0 1.6 1.0 2.86x', 'table'],
    ['x + n + a = a x + ( n + a ) + x ²', 'equation'],
    ['‖ w ‖ ≤ λ ∑ x_i\nf ( x ) = θ · x', 'equation'],
    ['We ran it on 3 machines for 20 days in 2019, which cost 400 dollars in all.', 'text'],
    ['Let x be a vector in R. Then f(x) is at most λ times the norm of the vector x.', 'text'],
    ['A table of contents with words alone.\nA line\nAnother line', 'text'],
    ['M', 'text'],
    ['', 'text'],
  ])('tells %j from its words', (text, kind) => {
    expect(chunkKind(text)).toBe(kind)
  })
})
