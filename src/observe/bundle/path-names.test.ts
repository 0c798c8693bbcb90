import { describe, expect, it } from 'vitest'
import { PathNames } from './path-names.ts'

/** A path, written so that this file names no machine. */
const path = (...parts: readonly string[]) => ['', ...parts].join('/')
const ada = path('home', 'ada')

function named(
  log: Parameters<PathNames['see']>[0],
  more: { homes?: string[]; texts?: string[] } = {},
) {
  const paths = new PathNames()
  paths.see(log)
  for (const home of more.homes ?? []) paths.seeHome(home)
  for (const text of more.texts ?? []) paths.leave(text)
  return paths.replacements()
}

describe('paths of a log', () => {
  it('become names of their folders, the outermost of each', () => {
    const log = {
      files: [`${ada}/papers`, `${ada}/papers/a.pdf`, '/data/x/b.pdf', '/data/x/y/c.pdf'],
    }
    expect(named(log).apply(log)).toEqual({
      files: [
        '[folder 2]/papers',
        '[folder 2]/papers/a.pdf',
        '[folder 1]/b.pdf',
        '[folder 1]/y/c.pdf',
      ],
    })
  })

  it('are also those of workspaces and of folders of files', () => {
    const log = { workspace: '/srv/ada/work', filesWithin: '/data/papers' }
    expect(named(log).apply(log)).toEqual({
      workspace: '[folder 2]/work',
      filesWithin: '[folder 1]/papers',
    })
  })

  it('never leave a name of a person before them', () => {
    const log = { files: [ada, `${path('home', 'bob')}/x.md`] }
    expect(JSON.stringify(named(log).apply(log))).not.toMatch(/ada|bob/)
  })

  it.each([
    ['C:\\Use'.concat('rs\\ada\\papers\\a.pdf'), '[folder 1]\\a.pdf'],
    ['\\\\server\\share\\a.pdf', '[folder 1]\\a.pdf'],
    ['/a.pdf', '[folder 1]'],
    ['/tmp/a.pdf', '[folder 1]/a.pdf'],
  ])('%s becomes %s', (from, to) => {
    const log = { path: from }
    expect(named(log).apply(log)).toEqual({ path: to })
  })

  it.each(['papers/a.pdf', 'https://a.org/b/c.pdf', '//cdn.a.org/b.js', 'ab'.repeat(32), ''])(
    '%j is none and stays',
    (text) => {
      const log = { path: text, note: `See ${text}.` }
      expect(named(log).apply(log)).toBe(log)
    },
  )

  it('are found in other texts, keys and lists, and not in longer names', () => {
    const replacements = named({ path: '/data/x/b.pdf' })
    expect(
      replacements.apply({
        text: 'Cannot read /data/x/b.pdf; /data/x. is a folder, /data/xy and /my/data/x are others.',
        '/data/x/c': ['/data/x'],
      }),
    ).toEqual({
      text: 'Cannot read [folder 1]/b.pdf; [folder 1]. is a folder, /data/xy and /my/data/x are others.',
      '[folder 1]/c': ['[folder 1]'],
    })
    expect(replacements.names).toEqual(['[folder 1]'])
  })
})

describe('homes in a log', () => {
  it('become [home] in any text', () => {
    const log = { question: `What is in ${ada}/notes and ${path('root')}/x?` }
    expect(named(log).apply(log)).toEqual({ question: 'What is in [home]/notes and [home]/x?' })
  })

  it('stay where a source names them, and nothing but them', () => {
    const log = { answer: `Put it into ${ada}/bin; not ${path('home', 'adam')}/bin.` }
    const text = `Tutorial: put it into ${ada}/bin.`
    expect(named(log, { texts: [text] }).apply(log)).toEqual({
      answer: `Put it into ${ada}/bin; not [home]/bin.`,
    })
  })

  it('of this machine are replaced wherever they are', () => {
    const log = { text: 'The disk of /srv/people/ada is full.' }
    expect(named(log).apply(log)).toBe(log)
    expect(named(log, { homes: ['/srv/people/ada/'] }).apply(log)).toEqual({
      text: 'The disk of [home] is full.',
    })
    expect(named(log, { homes: ['/', path('home')] }).apply(log)).toBe(log)
  })

  it('are replaced whole where a shorter path is a part of them', () => {
    const john = path('Users', 'John Doe')
    const log = { text: `Look into ${john}/notes.` }
    expect(named(log, { homes: [john] }).apply(log)).toEqual({ text: 'Look into [home]/notes.' })
    const inFolder = { path: '/srv/people/list.md', text: 'The disk of /srv/people/ada is full.' }
    expect(named(inFolder, { homes: ['/srv/people/ada'] }).apply(inFolder)).toEqual({
      path: '[folder 1]/list.md',
      text: 'The disk of [home] is full.',
    })
  })

  it.each(['jürgen', 'ju\u0308rgen', 'мария', '李明', 'ada-lovelace'])('of %s is one', (name) => {
    const log = { text: `In ${path('home', name)}/notes and ${path('home', name)}.` }
    expect(named(log).apply(log)).toEqual({ text: 'In [home]/notes and [home].' })
  })

  it('end where a name ends, in any script', () => {
    const log = { text: '/srv/jür and /srv/jürgen' }
    expect(named(log, { homes: ['/srv/jür'] }).apply(log)).toEqual({
      text: '[home] and /srv/jürgen',
    })
  })

  it.each([
    ['ada', 'a.org/?at=%2Fhome%2Fada%2Fx', 'a.org/?at=[home]%2Fx'],
    ['ada', 'a.org/?at=%2fhome%2fada%2fx', 'a.org/?at=[home]%2fx'],
    ['ada', 'file%3A%2F%2F%2Fhome%2Fada', 'file%3A%2F%2F[home]'],
    ['ada', 'a.org/?at=%2Fhome%2Fadam', 'a.org/?at=%2Fhome%2Fadam'],
    ['jürgen', `file://${path('home', 'j%C3%BCrgen')}/x`, 'file://[home]/x'],
    ['a b', `file://${path('home', 'a%20b')}/x`, 'file://[home]/x'],
  ])('of %s are found in the address %s', (name, address, expected) => {
    const replacements = named({}, { homes: [path('home', name)] })
    expect(replacements.apply({ text: address })).toEqual({ text: expected })
  })

  it('are no names that are used where nothing was replaced', () => {
    const replacements = named({ path: '/data/x/b.pdf' }, { homes: ['/srv/ada'] })
    replacements.apply({ text: 'nothing' })
    expect(replacements.names).toEqual([])
  })
})
