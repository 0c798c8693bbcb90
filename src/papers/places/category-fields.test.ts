import { describe, expect, it } from 'vitest'
import { categoryFields, wantedCategory } from './category-fields.ts'

describe('categories of arXiv', () => {
  it.each([
    ['cs.CL', 'computer science', 17],
    ['math.AG', 'mathematics', 26],
    ['stat.ML', 'mathematics and computer science', 17],
    ['hep-th', 'physics', 31],
    ['q-bio.NC', 'biology and medicine', 28],
  ])('%s is within %s', (category, name, field) => {
    expect(categoryFields(category)?.name).toBe(name)
    expect(categoryFields(category)?.openAlex).toContain(field)
  })

  it.each(['owls', '', 'constructor', '__proto__'])('%j is none', (category) => {
    expect(categoryFields(category)).toBeUndefined()
  })

  it('are all where none is named', () => {
    const categories = ['All', 'all', ' ', ''].map((category) => wantedCategory({ category }))
    expect([...categories, wantedCategory({})]).toEqual(Array(5).fill(undefined))
    expect(wantedCategory({ category: ' cs.CL ' })).toBe('cs.CL')
  })
})
