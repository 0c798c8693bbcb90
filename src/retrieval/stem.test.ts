import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { stem } from './stem.ts'

const words =
  'caresses ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned ' +
  'falling hissing fizzed failing filing happy sky relational conditional rational valenci hesitanci digitizer ' +
  'conformabli radicalli differentli vileli analogousli vietnamization predication operator feudalism decisiveness ' +
  'hopefulness callousness formaliti sensitiviti sensibiliti triplicate formative formalize electriciti electrical ' +
  'hopeful goodness revival allowance inference airliner gyroscopic adjustable defensible irritant replacement ' +
  'adjustment dependent adoption homologou communism activate angulariti homologous effective bowdlerize probate rate ' +
  'cease controll roll discovered discovery discoveries gene genes genetic editing edited studies study analysis ' +
  'yellowing enjoying sayings by is a of phosphorylation apology apologies'

describe('stem', () => {
  it('agrees with the stemmer of the full-text index', () => {
    const list = words.split(' ')
    const db = new DatabaseSync(':memory:')
    db.exec(`CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'porter ascii');
      CREATE VIRTUAL TABLE terms USING fts5vocab(texts, 'instance')`)
    const insert = db.prepare('INSERT INTO texts (rowid, body) VALUES (?, ?)')
    for (const [index, word] of list.entries()) insert.run(index, word)
    const rows = db.prepare('SELECT doc, term FROM terms').all()
    const expected = new Map(rows.map(({ doc, term }) => [list[Number(doc)], term]))
    expect(new Map(list.map((word) => [word, stem(word)]))).toEqual(expected)
  })

  it.each(['cas9', 'naïve', '人工', '', 'as'])('leaves %j as it is', (word) => {
    expect(stem(word)).toBe(word)
  })
})
