import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCalculator } from './calculator.ts'

const calculator = createCalculator()

async function text(quantity: string, toUnit: string): Promise<string> {
  const converted = await calculator.convert(quantity, toUnit)
  return converted.ok ? converted.text : `refused: ${converted.reason}`
}

describe('unit conversion', () => {
  // Values from the definitions of the units (SI brochure, NIST SP 811), not from the library under test.
  it.each([
    ['5 miles', 'km', '8.04672 km'],
    ['5 kilometres', 'miles', '3.10685596118667 miles'],
    ['60 km/h', 'mph', '37.28227153424 mph'],
    ['60 mph', 'km/h', '96.56064 km/h'],
    ['100 kph', 'miles per hour', '62.1371192237334 miles per hour'],
    ['5 pounds', 'kg', '2.26796185 kg'],
    ['70 kilos', 'lb', '154.323583529414 lb'],
    ['12 stone', 'kg', '76.20351816 kg'],
    ['1 metric ton', 'kg', '1000 kg'],
    ['1 short ton', 'lb', '2000 lb'],
    ['1 troy ounce', 'g', '31.1034768 g'],
    ['6 feet', 'cm', '182.88 cm'],
    ['1 acre', 'm²', '4046.8564224 m²'],
    ['10 square feet', 'm^2', '0.9290304 m^2'],
    ['2 cubic metres', 'litres', '2000 litres'],
    ['1 ha', 'm2', '10000 m2'],
    ['9.8 metres per second squared', 'm s-2', '9.8 m s-2'],
    ['3×10⁸ m/s', 'km/s', '300000 km/s'],
    ['1,234.5 km', 'm', '1234500 m'],
    ['1 µm', 'nm', '1000 nm'],
    ['1 nautical mile', 'm', '1852 m'],
    ['36 knots', 'km/h', '66.672 km/h'],
    ['1 light-year', 'km', '9460730472580.8 km'],
    ['1 AU', 'km', '149597870.7 km'],
    ['1 eV', 'J', '1.602176634e-19 J'],
    ['1 kWh', 'MJ', '3.6 MJ'],
    ['1 psi', 'Pa', '6894.75729316836 Pa'],
    ['760 torr', 'Pa', '101325 Pa'],
    ['1 atm', 'kPa', '101.325 kPa'],
    ['100 Mbps', 'MB/s', '12.5 MB/s'],
    ['1 KB', 'B', '1000 B'],
    ['1 KiB', 'B', '1024 B'],
    ['90°', 'rad', '1.5707963267949 rad'],
    ['50 Hz', '1/s', '50 1/s'],
    ['1000 kg/m^3', 'g/cm^3', '1 g/cm^3'],
  ])('%s in %s is %s', async (quantity, toUnit, expected) => {
    expect(await text(quantity, toUnit)).toBe(expected)
  })

  it.each([
    ['100 degC', 'degF', '212 degF'],
    ['98.6 °F', '°C', '37 °C'],
    ['98.6 degrees Fahrenheit', 'celsius', '37 celsius'],
    ['-40 F', 'C', '-40 C'],
    ['0 K', 'degrees Celsius', '-273.15 degrees Celsius'],
    ['300 Kelvin', 'C', '26.85 C'],
    ['20℃', 'K', '293.15 K'],
    ['3 F', 'uF', '3000000 uF'],
  ])('the temperature %s in %s is %s', async (quantity, toUnit, expected) => {
    expect(await text(quantity, toUnit)).toBe(expected)
  })

  it('says on which convention a result stands', async () => {
    expect(await text('1 gallon', 'L')).toBe('3.785411784 L (US gallon)')
    expect(await text('1 imperial gallon', 'L')).toBe('4.54609 L')
    expect(await text('1 year', 'days')).toBe('365.25 days (year of 365.25 days)')
    expect(await text('1 kcal', 'J')).toBe('4184 J (calorie of 4.184 J)')
  })

  it.each([
    ['5 m', 'kg', '"m" and "kg" measure different things'],
    ['5 foo', 'm', 'the unit "foo" is unknown'],
    ['5 m', 'quux', 'the unit "quux" is unknown'],
    [
      '1 ton',
      'kg',
      '"ton" has several meanings: write tonne (1000 kg), short ton (2000 lb) or long ton (2240 lb)',
    ],
    ['4184 J/kg K', 'J/(kg K)', '"J/kg K" can be read in two ways: write parentheses'],
    ['5 NM', 'km', 'the unit "NM" is unknown'],
    ['-300 degC', 'K', 'that is below absolute zero'],
    ['5 ft 11 in', 'cm', 'it contains more than one number'],
    ['5-10 km', 'm', 'it contains more than one number'],
    ['0,500 km', 'm', 'it does not start with a number'],
    ['1,23 km', 'm', 'it does not start with a number'],
    ['km', 'm', 'it does not start with a number'],
    ['5', 'm', 'it has no unit'],
    ['5 km', ' ', 'there is no unit to convert to'],
    ['1e2000 m', 'km', 'the number is too large or too small'],
    ['1 __proto__', 'm', '"__proto__" is not a unit'],
    ['1 m', 'constructor', 'the unit "constructor" is unknown'],
  ])('refuses %s in %s', async (quantity, toUnit, reason) => {
    expect(await calculator.convert(quantity, toUnit)).toEqual({ ok: false, reason })
  })

  it('comes back to where it started', async () => {
    const pairs = [
      ['km', 'miles'],
      ['degC', 'degF'],
      ['kg', 'lb'],
      ['L', 'gallons'],
      ['J', 'kcal'],
      ['bar', 'psi'],
      ['m/s', 'knots'],
    ] as const
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 10 ** 9 }),
        fc.constantFrom(...pairs),
        async (count, [a, b]) => {
          const there = await calculator.convert(`${count} ${a}`, b)
          if (!there.ok) throw new Error(there.reason)
          const back = await calculator.convert(`${there.value} ${b}`, a)
          if (!back.ok) throw new Error(back.reason)
          expect(Math.abs(Number(back.value) - count)).toBeLessThanOrEqual(1e-12 * (count + 1_000))
        },
      ),
    )
  })

  it('answers anything that is typed', async () => {
    const words = fc.constantFrom(
      '5',
      '1e3',
      ' ',
      'km',
      '/',
      '*',
      '^',
      '(',
      ')',
      '-',
      'per',
      '²',
      '°',
      'C',
      'square',
      'µ',
    )
    const typed = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(words, { maxLength: 8 }).map((all) => all.join('')),
    )
    await fc.assert(
      fc.asyncProperty(typed, typed, async (quantity, toUnit) => {
        const converted = await calculator.convert(`5 ${quantity}`, toUnit)
        if (converted.ok) expect(converted.text).toMatch(/^-?[\d.]+(e[-+]\d+)? /)
        else expect(converted.reason).not.toBe('')
      }),
      { numRuns: 1_000 },
    )
  })
})
