import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findSkills } from '../../src/code/skills/find-skills.ts'
import { getSkillBody, listSkills, readSkillHead } from '../../src/code/skills/skills.ts'
import { call, type Files, SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world?.close())

function skillText(name: string, description: string, body = 'Do it well.'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`
}

const place = '.scholium/skills'

async function open(files: Files) {
  world = new SessionWorld(files)
  const app = await world.app()
  const session = await app.code({ isTrusted: true }, { onEvent: world.hear })
  return { app, session }
}

describe('the head of a skill', () => {
  it('gives name and description, over several lines and in quotes too', async () => {
    const text =
      '---\nname: make-pdf\ndescription: >\n  Makes PDFs:\n  from text.\nlicence: MIT\n---\nBody'
    expect(await readSkillHead(text)).toEqual({
      ok: true,
      name: 'make-pdf',
      description: 'Makes PDFs: from text.',
    })
    expect(getSkillBody(text)).toBe('Body')
    expect(await readSkillHead(text.replaceAll('\n', '\r\n'))).toMatchObject({ ok: true })
  })

  it.each([
    ['# Only a title', 'front matter'],
    ['---\nname: a\n', 'front matter'],
    ['---\nname: a\n---\n', 'description is missing'],
    ['---\nname: [a\ndescription: b\n---\n', 'cannot be read'],
    ['---\n- a\n---\n', 'expected object'],
    ['---\n---\n', 'front matter'],
    ['---\nname: A Skill\ndescription: b\n---\n', 'lower-case letters'],
    ['---\nname: ../up\ndescription: b\n---\n', 'lower-case letters'],
    [`---\nname: ${'a'.repeat(65)}\ndescription: b\n---\n`, 'more than 64'],
    ['---\na: &a [1]\nname: *a\ndescription: b\n---\n', 'cannot be read'],
  ])('says what is wrong with %j', async (text, reason) => {
    const head = await readSkillHead(text)
    expect(head).toMatchObject({ ok: false })
    expect('reason' in head ? head.reason : '').toContain(reason)
  })
})

describe('skills of folders', () => {
  it('are found once by name, the earlier place first; what cannot be used is named', async () => {
    world = new SessionWorld({
      'near/one/SKILL.md': skillText('one', 'Near.'),
      'near/two/readme.md': 'no skill',
      'near/.hidden/SKILL.md': skillText('hidden', 'Not seen.'),
      'near/file.md': 'no folder',
      'far/one/SKILL.md': skillText('one', 'Far.'),
      'far/three/SKILL.md': skillText('three', 'Far.'),
      'outside/SKILL.md': skillText('outside', 'Elsewhere.'),
    })
    const folder = (name: string) => join(world.workspace, name)
    symlinkSync(folder('outside'), join(folder('near'), 'linked'))
    const near = { folder: folder('near'), label: 'near', within: folder('near') }
    const far = { folder: folder('far'), label: 'far' }
    const { skills, notes } = await findSkills([
      near,
      far,
      { folder: folder('none'), label: 'none' },
    ])
    expect(skills.map(({ name, description }) => [name, description])).toEqual([
      ['one', 'Near.'],
      ['three', 'Far.'],
    ])
    expect(notes).toHaveLength(3)
    expect(notes[0]).toContain('near/linked was skipped: it links outside')
    expect(notes[1]).toContain('near/two was skipped: it has no SKILL.md')
    expect(notes[2]).toContain('far/one was skipped')
  })

  it('are listed as many as fit', () => {
    const skills = Array.from({ length: 30 }, (_, index) => ({
      name: `skill-${index}`,
      description: 'x'.repeat(500),
      folder: '/',
    }))
    const { text, left } = listSkills(skills)
    expect(text.length).toBeLessThanOrEqual(8_000)
    expect(text.split('\n').length + left.length).toBe(30)
    expect(left).toContain('skill-29')
  })
})

describe('skills of a project', () => {
  it('are also those of other programs, under the same guards; copies are not told', async () => {
    const linked = join('.claude', 'skills', 'away')
    world = new SessionWorld({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.scholium/skills/one/SKILL.md': skillText('one', 'Ours.'),
      '.agents/skills/one/SKILL.md': skillText('one', 'Theirs.'),
      '.agents/skills/two/SKILL.md': skillText('two', 'For all.'),
      '.claude/skills/two/SKILL.md': skillText('two', 'For all.'),
      '.claude/skills/three/SKILL.md': skillText('three', 'Of Claude.'),
      'sub/a.txt': '',
    })
    mkdirSync(join(world.root, 'away'))
    writeFileSync(join(world.root, 'away/SKILL.md'), skillText('away', 'Elsewhere.'))
    symlinkSync(join(world.root, 'away'), join(world.workspace, linked))
    world.say([{ text: 'Read.' }])
    const app = await world.app()
    const request = { workspace: join(world.workspace, 'sub'), isTrusted: true }
    const session = await app.code(request, { onEvent: world.hear })
    await session.send('What can you do?')
    await session.finish()
    const system = JSON.stringify(world.sent(1)[0])
    for (const said of ['Ours.', 'For all.', 'Of Claude.']) expect(system).toContain(said)
    expect(system).not.toMatch(/Theirs|Elsewhere/)
    const notes = world.heard('notice').map(({ text }) => text)
    expect(notes).toHaveLength(2)
    expect(notes[0]).toMatch(/\.agents\/skills\/one was skipped/)
    expect(notes[1]).toContain('links outside its folder')
  })
})

describe('a session with skills', () => {
  it('lists them, reads one and its files on demand, and replays when they are gone', async () => {
    const { app, session } = await open({
      [`${place}/make-pdf/SKILL.md`]: skillText('make-pdf', 'Makes PDFs.', 'See forms.md first.'),
      [`${place}/make-pdf/forms.md`]: 'All about forms.',
      [`${place}/make-pdf/scripts/fill.py`]: 'print()',
    })
    const calls = [
      call('skill', { name: 'make-pdf' }),
      call('skill', { name: 'make-pdf', file: 'forms.md' }),
    ]
    world.say(() => calls.shift() ?? { text: 'Read.' })
    expect(await session.send('make a PDF')).toMatchObject({ outcome: 'answer' })
    const [system] = world.sent(1)
    expect(system?.content).toContain('- make-pdf: Makes PDFs.')
    expect(system?.content).not.toContain('forms.md')
    const results = world.sent(-1).filter(({ role }) => role === 'tool')
    expect(results[0]?.content).toContain('See forms.md first.')
    expect(results[0]?.content).not.toContain('description:')
    expect(results[0]?.content).toContain('forms.md, scripts/fill.py')
    expect(results[1]?.content).toContain('All about forms.')
    await session.finish()
    rmSync(join(world.workspace, '.scholium'), { recursive: true })
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('offers no tool for them where there are none', async () => {
    const { session } = await open({})
    world.say([{ text: 'done' }])
    await session.send('hello')
    expect(world.model.requests[0]?.tools).not.toContain('skill')
    expect(world.sent(1)[0]?.content).not.toContain('# Skills')
    await session.close()
  })

  it('reports one that is malformed, and works without it', async () => {
    const { session } = await open({
      [`${place}/bad/SKILL.md`]: '---\nname: bad\n---\n',
      [`${place}/good/SKILL.md`]: skillText('good', 'Good.'),
    })
    world.say([{ text: 'done' }])
    await session.send('hello')
    expect(world.heard('notice').map(({ text }) => text)).toEqual([
      expect.stringContaining(`${place}/bad was skipped: its description is missing`),
    ])
    expect(world.sent(1)[0]?.content).toContain('- good: Good.')
    await session.close()
  })

  it('reads nothing outside of a skill, no secret and nothing that is not there', async () => {
    const { session } = await open({
      [`${place}/a/SKILL.md`]: skillText('a', 'A.'),
      [`${place}/a/.env`]: 'KEY=secret',
      'private.txt': 'private words',
    })
    symlinkSync(join(world.workspace, 'private.txt'), join(world.workspace, place, 'a/link.txt'))
    const files = ['../../../private.txt', 'link.txt', '.env', '/etc/hosts', 'none.md']
    const calls = [
      ...files.map((file) => call('skill', { name: 'a', file })),
      call('skill', { name: 'b' }),
    ]
    world.say(() => calls.shift() ?? { text: 'done' })
    await session.send('read')
    const done = world.heard('tool.done')
    expect(done.map(({ isError }) => isError)).toEqual(files.map(() => true).concat(true))
    const told = JSON.stringify(done)
    expect(told).not.toMatch(/private words|KEY=secret/)
    expect(told).toContain('There are: a.')
    await session.close()
  })

  it('has those of the home and of folders that are named; the nearest of one name counts', async () => {
    world = new SessionWorld({
      [`${place}/shared/SKILL.md`]: skillText('shared', 'Of the project.'),
    })
    const put = (folder: string, name: string, description: string) => {
      mkdirSync(join(world.root, folder, name), { recursive: true })
      writeFileSync(join(world.root, folder, name, 'SKILL.md'), skillText(name, description))
    }
    put('home/skills', 'shared', 'Of the home.')
    put('home/skills', 'own', 'Of the home.')
    put('more', 'extra', 'Of a folder.')
    world.say([{ text: 'done' }])
    const app = await world.app()
    const session = await app.code({ skills: [join(world.root, 'more')] }, { onEvent: world.hear })
    await session.send('hello')
    const text = String(world.sent(1)[0]?.content)
    expect(text).toContain('- shared: Of the project.')
    expect(text).toContain('- own: Of the home.')
    expect(text).toContain('- extra: Of a folder.')
    expect(text).not.toContain('- shared: Of the home.')
    await session.close()
    await expect(app.code({ skills: ['/no/such'] })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})
