import { describe, expect, it } from 'vitest'
import { htmlToText } from './html-to-text.ts'

/** The lines of a table's text; its rows are written as `a | b`, with `*a` for a `th`. */
async function linesOf(html: string): Promise<readonly string[]> {
  const read = await htmlToText(`<table>${html}</table>`)
  if ('reason' in read) throw new Error(read.detail)
  return read.text.split('\n\n')
}

const rowsOf = (...rows: readonly string[]): string =>
  rows
    .map((row) => {
      const cells = row.split(' | ')
      const tags = cells.map((cell) =>
        cell.startsWith('*') ? `<th>${cell.slice(1)}</th>` : `<td>${cell}</td>`,
      )
      return `<tr>${tags.join('')}`
    })
    .join('')

describe('the rows of a table', () => {
  it('have the names of their columns, so that each can be quoted alone', async () => {
    const rows = rowsOf('*Region | *Sales', 'North | 1,234.50', 'South | ')
    expect(await linesOf(`<caption>Sales</caption>${rows}`)).toEqual([
      'Sales',
      'Region: North; Sales: 1,234.50.',
      'Region: South.',
    ])
  })

  it('have the name that stands before them where only that is marked', async () => {
    expect(await linesOf(rowsOf('*Born: | 1970', '*Cities | Rome | Paris'))).toEqual([
      'Born: 1970.',
      'Cities: Rome; Paris.',
    ])
    expect(await linesOf(rowsOf(' | *2023 | *2024', '*Sales | 5 | 6'))).toEqual([
      'Sales; 2023: 5; 2024: 6.',
    ])
  })

  it('have all the names that stand above them, and cells that reach down', async () => {
    const html = `<thead><tr><th rowspan=2>Region<th colspan=2>2024<tr><th>Sales<th>Costs</thead>
      <tr><td rowspan=2>North<td>1<td>2<tr><td colspan=2>none<tr><td>South<td>3<td>4`
    expect(await linesOf(html)).toEqual([
      'Region: North; 2024 Sales: 1; 2024 Costs: 2.',
      'Region: North; 2024 Sales: none.',
      'Region: South; 2024 Sales: 3; 2024 Costs: 4.',
    ])
  })

  it('stand below titles that go across them', async () => {
    const across = (title: string) => `<tr><th colspan=2>${title}</th></tr>`
    const html = across('Ports') + rowsOf('*Port | *Range', 'Dover | 7 m') + across('Wales')
    expect(await linesOf(`${html}${rowsOf('Barry | 12 m')}`)).toEqual([
      'Ports.',
      'Port: Dover; Range: 7 m.',
      'Wales.',
      'Port: Barry; Range: 12 m.',
    ])
  })

  it('have names without marks where those are bold, or words above numbers', async () => {
    const bold = rowsOf('<b>Port</b> | <p><strong>Ra</strong><b>nge</b></p>', 'Dover | high')
    expect(await linesOf(bold)).toEqual(['Port: Dover; Range: high.'])
    expect(await linesOf(rowsOf('Port | Range', 'Dover | 7 m', 'Hull | 5 m'))).toEqual([
      'Port: Dover; Range: 7 m.',
      'Port: Hull; Range: 5 m.',
    ])
  })

  it('stand alone where nothing says that the first names the others', async () => {
    expect(await linesOf(rowsOf('Name | Ann', 'Born | 1970'))).toEqual([
      'Name; Ann.',
      'Born; 1970.',
    ])
    expect(await linesOf(rowsOf('Home | About', 'Team | Jobs', 'Press | Shop'))).toEqual([
      'Home; About.',
      'Team; Jobs.',
      'Press; Shop.',
    ])
    expect(await linesOf(rowsOf('<b>a</b> | <b>b</b>', '<b>c</b> | <b>d</b>'))).toEqual([
      'a; b.',
      'c; d.',
    ])
    expect(await linesOf(rowsOf('*Only | *Names'))).toEqual(['Only; Names.'])
  })

  it('of a table in a cell are those of that table alone', async () => {
    const inner = `<table>${rowsOf('*A | *B', '1 | 2')}</table>`
    expect(await linesOf(`<tr><td>Menu<td>${inner}`)).toEqual(['Menu', 'A: 1; B: 2.'])
  })

  it('never swell the text: what spans would repeat too often is written as it stands', async () => {
    const names = `<tr>${`<th rowspan=65534>${'long name '.repeat(50)}</th>`.repeat(900)}</tr>`
    const started = performance.now()
    const lines = await linesOf(`${names}${'<tr><td>x</td></tr>'.repeat(20_000)}`)
    expect(lines.join('').length).toBeLessThan(1_000_000)
    expect(performance.now() - started).toBeLessThan(30_000)
    expect(await linesOf('<tr><td colspan=5000>a<td>b')).toEqual(['a', 'b'])
  })

  it('never swell the text by their names', async () => {
    const wide = `<tr>${`<th>${'name '.repeat(100)}</th>`.repeat(100)}</tr>`
    const lines = await linesOf(wide + `<tr>${'<td>1</td>'.repeat(100)}</tr>`.repeat(600))
    expect(lines.join('').length).toBeLessThan(1_000_000)
  })
})
