import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from '../cli/command.ts'
import { otherUser } from '../cli/other-user.ts'

/** The folder of a project, in which commands run; persons have folders of their own in it. */
let cli: CommandLine
/** What somebody's server was sent. */
const sent: string[] = []
let server: Server
let origin = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      sent.push(`${request.url} ${body}`)
      response.setHeader('content-type', 'application/json').end('{"ok": true}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  cli = new CommandLine()
  sent.length = 0
  const sending = `{url: "${origin}/", json: {line: "\${TOKEN}"}}`
  cli.write('send.yaml', `name: send\nnodes:\n  - {name: go, uses: http.post, with: ${sending}}\n`)
  cli.write('note.yaml', 'name: note\nnodes:\n  - {name: go, uses: state.set, with: {a: 1}}\n')
})
afterEach(() => cli.remove())

/** The environment of a person: what Scholium knows of them lies in folders of their own. */
function person(name: string, more: Readonly<Record<string, string | undefined>> = {}) {
  return {
    SCHOLIUM_HOME: undefined,
    XDG_CONFIG_HOME: join(cli.folder, name, 'config'),
    XDG_DATA_HOME: join(cli.folder, name, 'data'),
    TOKEN: `the token of ${name}`,
    ...more,
  }
}

const run = (args: readonly string[], env: Readonly<Record<string, string | undefined>>) =>
  cli.run(args, { env })

/** A run that waits, with rights. A new right is a new row. */
interface RightCase {
  /** As it is told. */
  readonly told: string
  /** The command that begins the run. */
  readonly begin: readonly string[]
  /** The options that grant it all that it was begun with, and of those the one that is left out. */
  readonly grants: readonly (readonly string[])[]
  readonly left: number
}

const waiting = ['--interrupt-before', 'go']
const cases = (): readonly RightCase[] => {
  const sending = [['--web'], ['--allow-origin', origin], ['--secret', 'TOKEN']]
  const send = ['run', 'send.yaml', ...sending.flat(), ...waiting]
  const note = (...options: string[]) => ({
    begin: ['run', 'note.yaml', ...options, ...waiting],
    grants: [options],
    left: 0,
  })
  return [
    { told: 'the web', begin: send, grants: sending, left: 0 },
    { told: `the origin ${origin}`, begin: send, grants: sending, left: 1 },
    { told: 'the variable TOKEN', begin: send, grants: sending, left: 2 },
    { told: 'the rule file.write', ...note('--allow', 'file.write') },
    { told: 'the shared memory team', ...note('--memory', 'team') },
    {
      told: 'the web',
      begin: ['ask', 'What is 2 + 2?', '--approve-plan', '--web'],
      grants: [['--web']],
      left: 0,
    },
  ]
}
const names = [
  'web of an agent file',
  'origin of an agent file',
  'secret of an agent file',
  'allow rule of an agent file',
  'shared memory of an agent file',
  'web of a question',
]

describe.each(names.map((name, index) => [name, index] as const))('the right %s', (_, index) => {
  it('of a home that came with a repository gives nothing, however it is named', async () => {
    const { begin, grants } = cases()[index] as RightCase
    const home = join(cli.folder, '.scholium')
    await run(begin, person('attacker', { SCHOLIUM_HOME: home }))
    const victim = person('victim')
    const resumed = await run(['resume', 'last', '--answer', 'approve', ...grants.flat()], victim)
    expect(resumed.exitCode).not.toBe(0)
    expect(resumed.stderr).toContain(`${home} is not trusted, because you did not create it`)
    expect(resumed.stderr).toContain('There are no runs yet')
    for (const verb of [
      ['resume', 'last', '--answer', 'approve'],
      ['fork', 'last'],
    ]) {
      const named = await run([...verb, '--home', home, ...grants.flat()], victim)
      expect(named).toMatchObject({ exitCode: 2, stdout: '' })
      expect(named.stderr).toContain(
        `because the home ${home} is not trusted: it was copied, moved or created by someone else`,
      )
      expect(named.stderr).toContain(`scholium home trust ${home}`)
      expect(named.stderr).not.toContain('Resume with')
    }
    expect(await run(['runs', 'list', '--home', home], victim)).toMatchObject({ exitCode: 0 })
    expect(sent).toEqual([])
  }, 120_000)

  it('in a home of the person has to be granted again', async () => {
    const { told, begin, grants, left } = cases()[index] as RightCase
    const me = person('me')
    await run(begin, me)
    const before = jsonOf(await run(['runs', 'list', '--json'], me))
    const some = grants.filter((_grant, at) => at !== left).flat()
    for (const verb of [
      ['resume', 'last', '--answer', 'approve'],
      ['fork', 'last'],
    ]) {
      const refused = await run([...verb, ...some], me)
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      expect(refused.stderr).toContain(`was started with ${told}, which is not granted now.`)
      expect(refused.stderr).toContain(`Grant it again: scholium ${verb[0]}`)
      expect(refused.stderr).toContain((grants[left] as readonly string[]).join(' '))
    }
    expect(sent).toEqual([])
    expect(jsonOf(await run(['runs', 'list', '--json'], me))).toEqual(before)
    const resumed = await run(['resume', 'last', '--answer', 'approve', ...grants.flat()], me)
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 })
    if (begin.includes('send.yaml')) expect(sent).toEqual(['/ {"line":"the token of me"}'])
  }, 120_000)
})

it('a question at a terminal is no answer where nobody sits there, and the printed command grants all of it', async () => {
  const me = person('me')
  const { begin, grants } = cases()[0] as RightCase
  const waits = await run(begin, me)
  const [, printed = ''] =
    /^ {2}scholium (resume \S+ .*--answer approve)$/m.exec(waits.stderr) ?? []
  expect(printed).toContain(grants.flat().join(' '))
  expect(await run(printed.split(' '), me)).toMatchObject({ exitCode: 0 })
  expect(sent).toHaveLength(1)
}, 60_000)

it('the web that a configuration of the person grants is granted, and that of a project is not', async () => {
  const me = person('me')
  await run(['ask', 'What is 2 + 2?', '--approve-plan', '--web'], me)
  const resume = ['resume', 'last', '--answer', 'approve']
  cli.write('scholium.yaml', 'web: true\n')
  expect((await run(resume, me)).stderr).toContain('was started with the web')
  mkdirSync(join(cli.folder, 'me', 'config', 'scholium'), { recursive: true })
  cli.write('me/config/scholium/scholium.yaml', 'web: true\n')
  expect(await run(resume, me)).toMatchObject({ exitCode: 0 })
}, 60_000)

describe('whose a home is', () => {
  const waits = ['run', 'note.yaml', ...waiting]
  const trust = (home: string, env = person('me')) => run(['home', 'trust', home, '--yes'], env)
  const moved = (to: string) => {
    renameSync(join(cli.folder, 'made'), join(cli.folder, to))
    return to
  }
  const copied = (to: string) => {
    cpSync(join(cli.folder, 'made'), join(cli.folder, to), { recursive: true })
    return to
  }
  const trusting = (where: string, how: string) => {
    mkdirSync(join(cli.folder, where, '..'), { recursive: true })
    cli.write(where, how)
  }

  it.each<[string, boolean, () => unknown]>([
    ['as it was made', true, () => 'made'],
    ['by another path to the same folder', true, () => 'made/../made'],
    ['copied', false, () => copied('copy')],
    ['moved', false, () => moved('elsewhere')],
    [
      'moved away and back',
      true,
      () =>
        [
          moved('elsewhere'),
          renameSync(join(cli.folder, 'elsewhere'), join(cli.folder, 'made')),
          'made',
        ].at(-1),
    ],
    ['moved and trusted', true, async () => [moved('elsewhere'), await trust('elsewhere')][0]],
    [
      'trusted by somebody else',
      false,
      async () => [moved('elsewhere'), await trust('elsewhere', person('other'))][0],
    ],
    [
      'with the log that it had before it was trusted',
      false,
      async () => {
        moved('elsewhere')
        const [log, kept] = ['elsewhere/runs.db', 'kept.db'].map((name) => join(cli.folder, name))
        copyFileSync(log as string, kept as string)
        await trust('elsewhere')
        copyFileSync(kept as string, log as string)
        return 'elsewhere'
      },
    ],
    [
      'with a log of somebody else',
      false,
      async () => {
        await run(waits, person('other', { SCHOLIUM_HOME: join(cli.folder, 'theirs') }))
        copyFileSync(join(cli.folder, 'theirs', 'runs.db'), join(cli.folder, 'made', 'runs.db'))
        return 'made'
      },
    ],
    [
      'with a log that is a link',
      false,
      () => {
        renameSync(join(cli.folder, 'made', 'runs.db'), join(cli.folder, 'runs.db'))
        symlinkSync(join(cli.folder, 'runs.db'), join(cli.folder, 'made', 'runs.db'))
        return 'made'
      },
    ],
    [
      'named by the variable',
      true,
      () => [moved('elsewhere'), 'elsewhere SCHOLIUM_TRUSTED_HOMES'][1],
    ],
    [
      "named by the person's file",
      true,
      () =>
        [
          trusting('me/config/scholium/scholium.yaml', `trustedHomes: [${cli.folder}/elsewhere]\n`),
          moved('elsewhere'),
        ][1],
    ],
    [
      "named by the project's file",
      false,
      () =>
        [
          trusting('scholium.yaml', `trustedHomes: [${cli.folder}/elsewhere]\n`),
          moved('elsewhere'),
        ][1],
    ],
    [
      "named by the project's .env",
      false,
      () =>
        [
          trusting('.env', `SCHOLIUM_TRUSTED_HOMES=${cli.folder}/elsewhere\n`),
          moved('elsewhere'),
        ][1],
    ],
  ])(
    '%s: its runs go on: %s',
    async (_state, isOwn, prepare) => {
      await run([...waits, '--home', 'made'], person('me'))
      const [home = '', variable] = String(await prepare()).split(' ')
      const env = variable === undefined ? {} : { [variable]: join(cli.folder, home) }
      const resumed = await run(
        ['resume', 'last', '--answer', 'approve', '--home', home],
        person('me', env),
      )
      if (isOwn) expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 })
      else {
        expect(resumed).toMatchObject({ exitCode: 2, stdout: '' })
        expect(resumed.stderr).toContain('it was copied, moved or created by someone else')
        expect(await run(['runs', 'show', 'last', '--home', home], person('me'))).toMatchObject({
          exitCode: 0,
        })
      }
    },
    120_000,
  )

  it('a link to one is refused, and the folder is named', async () => {
    await run([...waits, '--home', 'made'], person('me'))
    symlinkSync(join(cli.folder, 'made'), join(cli.folder, 'link'))
    for (const args of [
      ['runs', 'list'],
      ['ask', 'What is 2 + 2?'],
      ['home', 'trust', '--yes'],
    ]) {
      const refused = await run([...args, '--home', 'link'], person('me'))
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      expect(refused.stderr).toContain('link is a link, not a folder.')
      expect(refused.stderr).toContain(join(cli.folder, 'made'))
    }
  }, 60_000)

  it('says what it holds before it is trusted, and trusts nothing unasked', async () => {
    const { begin } = cases()[0] as RightCase
    await run(begin, person('other', { SCHOLIUM_HOME: join(cli.folder, '.scholium') }))
    const asked = await run(['home', 'trust'], person('me'))
    expect(asked).toMatchObject({ exitCode: 2, stdout: '' })
    expect(asked.stderr).toContain('.scholium contains 1 run, the newest of')
    expect(asked.stderr).toMatch(
      /waiting: send; started with the web, the origin \S+ and the variable TOKEN/,
    )
    expect((await run(['runs', 'list'], person('me'))).stderr).toContain(
      'did not create it on this machine',
    )
    const trusted = await run(['home', 'trust', '--yes'], person('me'))
    expect(trusted.exitCode).toBe(0)
    expect(trusted.stdout).toMatch(/is now trusted\. Earlier runs in this folder are in \S+\.\n/)
    const listed = await run(['runs', 'list'], person('me'))
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' })
    expect(listed.stdout).toContain('waiting')
    expect((await run(['home', 'trust'], person('me'))).stdout).toContain('is already trusted')
  }, 60_000)

  it('shows all of what it holds to who decides, and a command to paste only for a plain path', async () => {
    const folder = 'a$(id)b'
    cli.write(
      'odd.yaml',
      'name: "o\\u202edd"\nnodes:\n  - {name: go, uses: state.set, with: {a: 1}}\n',
    )
    const other = person('other', { SCHOLIUM_HOME: join(cli.folder, folder) })
    await run(['run', 'odd.yaml', '--allow', 'x$(id)', ...waiting], other)
    const asked = await run(['home', 'trust', folder], person('me'))
    expect(asked.stderr).toContain('waiting: o<U+202E>dd; started with the rule x$(id)')
    const resumed = await run(['resume', 'last', '--home', folder], person('me'))
    expect(resumed.stderr).toContain('scholium home trust FOLDER')
    const again = await run(['resume', 'last', '--answer', 'approve'], other)
    expect(again.stderr).toContain('--allow RULE')
  }, 60_000)

  it('is the same for all processes that make it at once', async () => {
    const starts = [1, 2, 3, 4].map(() =>
      cli.run([...waits, '--home', 'shared'], { env: person('me'), isApart: true }),
    )
    for (const { exitCode, stderr } of await Promise.all(starts)) expect(exitCode, stderr).toBe(3)
    const again = await run(['home', 'trust', 'shared'], person('me'))
    expect(again.stdout).toContain('is already trusted')
    expect(
      jsonOf(await run(['runs', 'list', '--json', '--home', 'shared'], person('me'))),
    ).toHaveLength(4)
  }, 120_000)

  it.skipIf(otherUser === undefined)(
    'is told where it cannot be registered, and can be named (needs a user without rights)',
    async () => {
      const place = join(cli.folder, 'theirs')
      mkdirSync(place)
      chmodSync(cli.folder, 0o755)
      if (process.getuid?.() === 0) chownSync(place, otherUser ?? 0, otherUser ?? 0)
      const home = join(place, 'home')
      const env = {
        ...person('x'),
        HOME: '/nonexistent',
        XDG_CONFIG_HOME: join(cli.folder, 'shut'),
      }
      mkdirSync(join(cli.folder, 'shut'), { mode: 0o555 })
      const as = (args: readonly string[], more = {}) =>
        cli.run(args, { env: { ...env, ...more }, uid: otherUser as number })
      const began = await as([...waits, '--home', home])
      expect(began.exitCode, began.stderr).toBe(3)
      expect(began.stderr).toContain(`The home ${home} could not be registered as trusted`)
      const resume = ['resume', 'last', '--answer', 'approve', '--home', home]
      expect((await as(resume)).stderr).toContain('SCHOLIUM_TRUSTED_HOMES')
      expect(await as(resume, { SCHOLIUM_TRUSTED_HOMES: home })).toMatchObject({ exitCode: 0 })
    },
    120_000,
  )
})

describe('a folder of a project', () => {
  const home = () => join(cli.folder, '.scholium')
  const own = () => join(cli.folder, 'me', 'data', 'scholium')
  const theirs = (path: string) =>
    run(['ask', 'What is 2 + 2?', '-q'], person('other', { SCHOLIUM_HOME: join(cli.folder, path) }))

  it.each<[string, 'project' | 'own' | 'own, and that is said', () => unknown]>([
    ['.scholium that is empty', 'project', () => mkdirSync(home())],
    [
      '.scholium that holds skills alone',
      'own',
      () => mkdirSync(join(home(), 'skills'), { recursive: true }),
    ],
    [
      '.scholium that somebody else recorded in',
      'own, and that is said',
      () => theirs('.scholium'),
    ],
    [
      '.scholium with a library alone',
      'own, and that is said',
      async () => {
        await theirs('.scholium')
        rmSync(join(home(), 'runs.db'))
      },
    ],
    [
      '.scholium that is a link to a home of the person',
      'own, and that is said',
      async () => {
        await run(['ask', 'What is 2 + 2?', '-q', '--home', 'mine'], person('me'))
        symlinkSync(join(cli.folder, 'mine'), home())
      },
    ],
    [
      '.scholium that others can write',
      'own',
      () => {
        mkdirSync(home())
        chmodSync(home(), 0o777)
      },
    ],
    [
      'that the file of the project names and is not there',
      'project',
      () => cli.write('scholium.yaml', 'home: .scholium\n'),
    ],
    [
      'that the file of the project names and is not theirs',
      'own, and that is said',
      async () => {
        cli.write('scholium.yaml', 'home: .scholium\n')
        await theirs('.scholium')
      },
    ],
    [
      'that the .env of the project names and is not theirs',
      'own, and that is said',
      async () => {
        cli.write('.env', 'SCHOLIUM_HOME=.scholium\n')
        await theirs('.scholium')
      },
    ],
    [
      'that the file of the project names and is a link',
      'own, and that is said',
      () => {
        cli.write('scholium.yaml', 'home: .scholium\n')
        symlinkSync('/nowhere', home())
      },
    ],
  ])(
    '%s: the home is %s',
    async (_state, expected, prepare) => {
      await prepare()
      const asked = await run(['ask', 'What is 2 + 2?', '-q', '--json'], person('me'))
      expect(asked.exitCode, asked.stderr).toBe(0)
      const { settings } = jsonOf(await run(['config', '--json'], person('me')))
      expect(settings[0]).toMatchObject({
        key: 'home',
        value: expected === 'project' ? home() : own(),
      })
      expect(existsSync(join(expected === 'project' ? home() : own(), 'runs.db'))).toBe(true)
      expect(asked.stderr.includes('is not trusted, because')).toBe(
        expected === 'own, and that is said',
      )
      if (expected === 'project') expect(existsSync(join(home(), '.gitignore'))).toBe(true)
    },
    60_000,
  )

  it.skipIf(process.getuid?.() !== 0)(
    'of another user of the machine is not used',
    async () => {
      mkdirSync(home())
      chownSync(home(), 65_534, 65_534)
      await run(['ask', 'What is 2 + 2?', '-q'], person('me'))
      expect([existsSync(join(home(), 'runs.db')), existsSync(join(own(), 'runs.db'))]).toEqual([
        false,
        true,
      ])
    },
    60_000,
  )
})
