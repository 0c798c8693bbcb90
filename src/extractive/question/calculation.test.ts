import { describe, expect, it } from 'vitest'
import { describeCalculation, readCalculation, withDigits } from './calculation.ts'

const read = (question: string) => {
  const calculation = readCalculation(question)
  return calculation && describeCalculation(calculation)
}

describe('readCalculation', () => {
  it.each([
    ['What is 2 + 2?', '2 + 2'],
    ['2+2=', '2+2'],
    ['what is two plus forty-two', '2 + 42'],
    ['What is 15% of 240?', '15% of 240'],
    ['How much is fifteen per cent of 240?', '15% of 240'],
    ['What is 3 + 10% of 50?', '3 + 10 / 100 * 50'],
    ['Calculate (18 + 6) / 4 * 7.', '(18 + 6) / 4 * 7'],
    ['What is the square root of 144?', 'sqrt(144)'],
    ['√ 2 * 3', 'sqrt(2) * 3'],
    ['square root of (2 + 7)', 'sqrt(2 + 7)'],
    ['sqrt(2 + 7)', 'sqrt(2 + 7)'],
    ['What is 1,200 times 3?', '1200 * 3'],
    ['subtract 5 from 12', '12 - 5'],
    ['What is the difference between 12 and 5?', '12 - 5'],
    ['What is 2 to the power of 10?', '2 ^ 10'],
    ['10!', '10!'],
    ['What is -3 × 4?', '-3 * 4'],
    ['3 million divided by 7', '3000000 / 7'],
  ])('%s is the calculation %s', (question, expected) => {
    expect(read(question)).toBe(expected)
  })

  it.each([
    ['Convert 100 km/h to mph', '100 km/h to mph'],
    ['How many metres are 3 miles?', '3 miles to metres'],
    ['How long is a mile in kilometres?', '1 mile to kilometres'],
    ['How many minutes are two hours?', '2 hours to minutes'],
    ['How many seconds are there in a year?', '1 year to seconds'],
    ['What is 5 feet in metres?', '5 feet to metres'],
    ['Convert 350 degrees Fahrenheit to Celsius', '350 degrees Fahrenheit to Celsius'],
    ['100 C to F', '100 C to F'],
  ])('%s is the conversion %s', (question, expected) => {
    expect(read(question)).toBe(expected)
  })

  it.each([
    'What is 42?',
    'What is CRISPR?',
    'Who won in 1998?',
    'What happened in 1914-1918?',
    '1914-1918',
    '2020-12-03',
    'What is 5 kilograms in metres?',
    'How many gears are in 3 boxes?',
    'What is 5 minutes in the desert?',
    'What is 7 plus?',
    '2 * (3 + 4',
    '2 3',
    'a + b',
    'import("fs") + 1',
    `${'1+'.repeat(150)}1`,
    '',
  ])('%s is none', (question) => {
    expect(readCalculation(question)).toBeUndefined()
  })
})

describe('withDigits', () => {
  it.each([
    ['two plus forty-two', '2 plus 42'],
    ['Ninety nine', '99'],
    ['3 million miles', '3000000 miles'],
    ['two hundred', '200'],
    ['often someone', 'often someone'],
  ])('%s', (text, expected) => {
    expect(withDigits(text)).toBe(expected)
  })
})
