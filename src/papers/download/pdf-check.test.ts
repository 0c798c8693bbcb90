import { describe, expect, it } from 'vitest'
import { describeNonPdf, isPdf } from './pdf-check.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('what is no PDF', () => {
  it.each([
    [
      '<!DOCTYPE html><html><head><title>\n Just a\tmoment </title>',
      'a page, not a PDF: “Just a moment”',
    ],
    ['<html><body><h1>Sorry</h1>', 'a page, not a PDF: “Sorry”'],
    ['<!-- made by x --> <HTML>', 'a page, not a PDF'],
    ['<?xml version="1.0"?><error/>', 'a page, not a PDF'],
    ['{"error": 1}', 'something that is not a PDF'],
    ['', 'nothing'],
  ])('%j is %s', (text, what) => {
    expect(isPdf(bytes(text))).toBe(false)
    expect(describeNonPdf(bytes(text))).toBe(what)
  })

  it('is told by the header, which may stand a little further in', () => {
    expect(isPdf(bytes('%PDF-1.7'))).toBe(true)
    expect(isPdf(bytes(`\ufeff\n\n%PDF-1.4`))).toBe(true)
    expect(isPdf(bytes(`${' '.repeat(2_000)}%PDF-1.4`))).toBe(false)
  })
})
