import { describe, expect, it } from 'vitest'
import { ScholiumError } from '../kernel/errors.ts'
import { loadCslStyle } from './csl-style.ts'
import { formatBibliography, loadCiteproc } from './format-bibliography.ts'

function style(inside: string): string {
  return `<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">${inside}</style>`
}

const layout = '<bibliography><layout><text macro="m0"/></layout></bibliography>'

describe('a citation style', () => {
  it.each([
    ['an unknown name', 'harvard', 'Unknown citation style "harvard".'],
    ['a name of an object', 'constructor', 'Unknown citation style "constructor".'],
    ['other XML', '<html/>', 'is not <style>'],
    ['broken XML', '<style><info>', 'not well-formed XML: line 1'],
    ['a document type', '<!DOCTYPE style><style/>', 'document type'],
    [
      'a dependent one',
      style('<info><link href="http://x.org/parent" rel="independent-parent"/></info>'),
      'is dependent on another one: http://x.org/parent',
    ],
    ['one without a list', style('<citation/>'), 'cannot format a reference list'],
    ['an unknown macro', style(layout), 'calls a macro "m0"'],
    ['a circle', style(`<macro name="m0"><text macro="m0"/></macro>${layout}`), 'calls itself'],
    ['deep nesting', style('<group>'.repeat(5000) + '</group>'.repeat(5000)), 'cannot be read'],
    ['too much text', style(' '.repeat(1_000_001)), 'the maximum is 1000000'],
  ])('is refused when it is %s', async (_what, text, reason) => {
    const error = await loadCslStyle(text).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ScholiumError)
    expect(error).toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('apa') })
    expect(String(error)).toContain(reason)
  })

  it('is refused when its macros grow beyond measure', async () => {
    const macros = Array.from({ length: 12 }, (_, index) => {
      const calls = `<text macro="m${index + 1}"/>`.repeat(9)
      return `<macro name="m${index}">${calls}</macro>`
    })
    const last = '<macro name="m12"><text variable="title"/></macro>'
    const text = style([...macros, last, layout].join(''))
    await expect(loadCslStyle(text)).rejects.toThrow('after expanding its macros')
  })

  it('is refused when the engine cannot make sense of it', async () => {
    const text = style(
      '<info><id>x</id><title>x</title></info><citation><layout/></citation><bibliography><layout><nonsense/></layout></bibliography>',
    )
    const work = { id: '1', type: 'book', title: 'x' }
    await expect(formatBibliography([work], { style: text })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('nonsense'),
    })
  })

  it.each([
    ['pt-BR', /its language is pt-BR; supported are en, de, fr, es and nl/],
    ['en-GB', undefined],
    ['de-DE', undefined],
  ])('may be of the language %s, or is refused for it', async (language, reason) => {
    const text = style(
      '<info><id>x</id><title>x</title></info><citation><layout><text variable="title"/></layout></citation><bibliography><layout><text variable="title"/><date variable="issued" form="text" prefix=" "/></layout></bibliography>',
    ).replace('<style', `<style default-locale="${language}"`)
    const work = { id: '1', type: 'book', title: 'x', issued: { 'date-parts': [[2020, 3]] } }
    const list = formatBibliography([work], { style: text })
    if (reason === undefined) await expect(list).resolves.toHaveLength(1)
    else await expect(list).rejects.toThrow(reason)
  })

  it.each(['apa', 'chicago', 'ieee'])('comes with the package: %s', async (name) => {
    const text = await loadCslStyle(name)
    expect(text).toContain('creativecommons.org/licenses/by-sa/3.0')
    await expect(loadCslStyle(text)).resolves.toBe(text.trim())
  })
})

describe('the package that knows citation styles', () => {
  it('is named, with the command that installs it, where it is missing', () => {
    const load = () => loadCiteproc('file:///nowhere/at-all/module.js')
    expect(load).toThrow(ScholiumError)
    expect(load).toThrow('@citation-js/plugin-csl, which is not installed')
    try {
      load()
    } catch (error) {
      expect(error).toMatchObject({
        code: 'invalid_configuration',
        hint: expect.stringMatching(/npm install @citation-js\/plugin-csl@0\.7\.22.*apa-arxiv/),
      })
    }
  })

  it('has its locales, and none for others', () => {
    const { locale } = loadCiteproc()
    expect(locale('en-US')).toContain('<single>trans.</single>')
    expect(locale('de-DE')).toContain('xml:lang="de-DE"')
    expect(locale('constructor')).toBe(false)
  })
})
