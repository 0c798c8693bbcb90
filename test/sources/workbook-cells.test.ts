import { afterAll, describe, expect, it } from 'vitest'
import { xlsxOf } from './office-files.ts'
import { ReadingFolder } from './reading.ts'

const folder = new ReadingFolder()
afterAll(() => folder.remove())

const sheetOf = (cells: string) =>
  `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="inlineStr"><is><t>Value</t></is></c></row><row r="2">${cells}</row></sheetData></worksheet>`

describe('the cells of a workbook', () => {
  it.each([
    ['an empty text', '<c r="B2" t="s"/>'],
    ['a text without a place', '<c r="B2" t="s"><v></v></c>'],
    ['an empty truth', '<c r="B2" t="b"/>'],
    ['a blank number', '<c r="B2"><v xml:space="preserve"> </v></c>'],
  ])('are empty where the file says nothing: %s', async (_, cell) => {
    const first = '<c r="A2" t="inlineStr"><is><t>Fox</t></is></c>'
    const sheets = { S: sheetOf(first + cell), Other: [['secret', 'word']] }
    const { text, notes } = await folder.document('empty.xlsx', xlsxOf(sheets))
    expect(text).toContain('Name: Fox.')
    expect(text.slice(0, text.indexOf('Other'))).not.toMatch(/secret|FALSE|Value: /)
    expect(notes.join()).not.toContain('missing from the file')
  })

  it('say that a text is missing', async () => {
    const cells = ['A', 'B'].map((column) => `<c r="${column}2" t="s"><v>7</v></c>`).join('')
    const sheets = { S: sheetOf(`${cells}<c r="C2"><v>5</v></c>`), Other: [['secret']] }
    const { text, notes } = await folder.document('missing.xlsx', xlsxOf(sheets))
    expect(text.slice(0, text.indexOf('Other'))).not.toContain('secret')
    expect(notes).toContain('cells whose text is missing from the file: 2')
  })
})
