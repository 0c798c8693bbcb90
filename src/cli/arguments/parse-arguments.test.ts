import { describe, expect, it } from 'vitest'
import { readLimits } from './app-settings.ts'
import { GivenOptions, globalOptions, type OptionSpec, runOptions } from './option.ts'
import { parseArguments } from './parse-arguments.ts'

const source: OptionSpec = { name: 'source', value: 'PATH', isRepeatable: true, help: '' }
const specs = [...globalOptions, ...runOptions, source]
const parse = (...argv: string[]) => parseArguments(argv, specs)
const refusal = (...argv: string[]) => {
  try {
    parse(...argv)
  } catch (error) {
    return error
  }
  return undefined
}

describe('parseArguments', () => {
  it('finds options before, between and after the words', () => {
    const { words, options } = parse('--home', 'h', 'ask', '-q', 'what', '--max-steps=5', 'is')
    expect(words).toEqual(['ask', 'what', 'is'])
    expect([options.text('home'), options.has('quiet'), options.whole('max-steps', 1)]).toEqual([
      'h',
      true,
      5,
    ])
  })

  it('keeps every value of an option that can be repeated, in order', () => {
    expect(parse('--source', 'a', '--source=b=c').options.texts('source')).toEqual(['a', 'b=c'])
  })

  it.each([
    [
      ['ask', '-'],
      ['ask', '-'],
    ],
    [
      ['ask', '-5 + 3'],
      ['ask', '-5 + 3'],
    ],
    [
      ['ask', '--', '--json', '-x'],
      ['ask', '--json', '-x'],
    ],
    [
      ['ask', '', '🧬'],
      ['ask', '', '🧬'],
    ],
  ])('takes %j for words', (argv, words) => {
    expect(parse(...argv).words).toEqual(words)
  })

  it.each([
    [['--modle', 'x'], 'Unknown option --modle.', 'Did you mean --model?'],
    [['--xyzzy'], 'Unknown option --xyzzy.', 'If it is part of your text, put -- before the text.'],
    [['--home'], '--home needs a value.', 'Write it as: --home=DIR'],
    [['--home', '--json'], '--home needs a value.', 'Write it as: --home=DIR'],
    [['--json=yes'], '--json takes no value.', undefined],
    [['--home', 'a', '--home', 'b'], '--home was given more than once.', 'Give it once.'],
  ])('refuses %j', (argv, message, hint) => {
    expect(refusal(...argv)).toMatchObject({ code: 'invalid_input', message, hint })
  })
})

describe('values of options', () => {
  const given = (name: string, ...values: string[]) => new GivenOptions(new Map([[name, values]]))

  it('turns seconds into milliseconds and leaves out what is not given', () => {
    expect(readLimits(given('max-seconds', '1.5'))).toEqual({ maxWallMs: 1500 })
    expect(readLimits(given('max-cost-usd', '.25'))).toEqual({ maxCostUsd: 0.25 })
    expect(readLimits(given('max-log-mb', '2'))).toEqual({ maxLogBytes: 2_000_000 })
  })

  it.each([
    ['max-steps', '0'],
    ['max-steps', '1.5'],
    ['max-steps', 'many'],
    ['max-tokens', '99999999999999999999'],
    ['max-cost-usd', '0'],
    ['max-cost-usd', '-1'],
    ['max-seconds', 'Infinity'],
    ['max-seconds', ''],
  ])('refuses --%s %j', (name, value) => {
    expect(() => readLimits(given(name, value))).toThrow(`Invalid value for --${name}: "${value}".`)
  })
})
