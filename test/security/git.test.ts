import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CommandOutcome } from '../../src/code/tools/processes/run-command.ts'
import { type ToolWorld, toolWorld } from '../code/tool-world.ts'

/** A checkout that somebody else made, next to another one whose text is not for it. */
let world: ToolWorld
beforeEach(async () => {
  world = await toolWorld()
  for (const [name, text] of [
    ['secret', 'OUTSIDE'],
    ['work', 'a'],
  ] as const) {
    git(name, 'init', '-qb', 'main')
    put(`${name}/a.txt`, `${text}\n`)
    git(name, 'add', '-A')
    git(name, 'commit', '-qm', `made ${text}`)
  }
  put('run.sh', `#!/bin/sh\necho ran >> '${place('ran')}'\ncat "$@" 2>/dev/null\n`)
  chmodSync(place('run.sh'), 0o755)
})
afterEach(async () => {
  await world.close()
  rmSync(dirname(world.folder), { recursive: true })
})

const place = (way: string) => join(dirname(world.folder), way)
const put = (way: string, text: string) => {
  mkdirSync(dirname(place(way)), { recursive: true })
  writeFileSync(place(way), text)
}
const git = (folder: string, ...words: string[]) => {
  mkdirSync(place(folder), { recursive: true })
  const own = [
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@x.example',
    '-c',
    'protocol.file.allow=always',
  ]
  execFileSync('git', [...own, ...words], { cwd: place(folder), stdio: 'ignore' })
}
/** Has the checkout itself, or another folder, set something. */
const set = (name: string, value: string, folder = 'work') =>
  git(folder, 'config', name, value.replace('RUN', place('run.sh')))
const link = (target: string, way: string) => {
  rmSync(place(way), { recursive: true, force: true })
  mkdirSync(dirname(place(way)), { recursive: true })
  symlinkSync(place(target), place(way))
}
const hook = (way: string) => {
  put(way, `#!/bin/sh\n'${place('run.sh')}'\n`)
  chmodSync(place(way), 0o755)
}
const attributes = (words: string) => put('work/.gitattributes', `*.txt ${words}\n`)
const monitor = () => `[core]\n\tfsmonitor = ${place('run.sh')}\n`
/** Gives a submodule its repository in its own folder, as those have that are not from `git submodule`. */
const own = (way: string) => {
  git(way, 'config', '--unset', 'core.worktree')
  rmSync(place(`${way}/.git`))
  renameSync(place(`work/.git/modules/sub`), place(`${way}/.git`))
}
const plain = [
  ['user.name', 'x'],
  ['remote.origin.url', 'https://x.example/x'],
  ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
  ['branch.main.remote', 'origin'],
  ['pull.rebase', 'true'],
  ['core.autocrlf', 'input'],
] as const

/** Has Git look at files again. */
const touch = () => put('work/a.txt', 'b\n')
const lines = [
  'git status',
  'git diff',
  'git log -p',
  'git show HEAD',
  'git blame a.txt',
  'git ls-files -m',
]

/** What is said of a line; where it is let through unasked, it is run. */
async function tried(line: string, cwd = '.') {
  const bash = world.tool('bash')
  const parsed = bash.parse({ command: line, cwd })
  const verdict = parsed.ok ? bash.judge?.(parsed.value).verdict : 'invalid'
  if (verdict !== 'allow') return { verdict, output: '' }
  const { output } = await world.call<CommandOutcome>('bash', { command: line, cwd })
  return { verdict, output }
}

/** Each line is judged so, and runs nothing and prints nothing from elsewhere where it is let through. */
async function judged(all: readonly string[], verdict: 'ask' | 'allow') {
  for (const line of all) {
    const { verdict: found, output } = await tried(line)
    expect([line, found]).toEqual([line, verdict])
    expect(output).not.toContain('OUTSIDE')
  }
  expect(existsSync(place('ran'))).toBe(false)
}

describe('what a folder names for Git', () => {
  it.each<[string, 'ask' | 'allow', ...(() => void)[]]>([
    ['core.fsmonitor', 'ask', () => set('core.fsmonitor', 'RUN')],
    ['core.fsmonitor, on', 'allow', () => set('core.fsmonitor', 'true')],
    [
      'core.hooksPath',
      'allow',
      () => hook('work/h/post-index-change'),
      () => set('core.hooksPath', 'h'),
    ],
    ['.git/hooks', 'allow', () => hook('work/.git/hooks/post-index-change')],
    ['core.pager', 'ask', () => set('core.pager', 'RUN')],
    ['core.sshCommand', 'ask', () => set('core.sshCommand', 'RUN')],
    ['core.editor', 'ask', () => set('core.editor', 'RUN')],
    ['core.attributesFile', 'ask', () => set('core.attributesFile', 'x')],
    ['core.excludesFile', 'ask', () => set('core.excludesFile', '../secret/a.txt')],
    ['diff.external', 'ask', () => set('diff.external', 'RUN')],
    ['diff.orderFile', 'ask', () => set('diff.orderFile', '../secret/a.txt')],
    ['diff.DRIVER.command', 'ask', () => attributes('diff=x'), () => set('diff.x.command', 'RUN')],
    [
      'diff.DRIVER.textconv',
      'ask',
      () => attributes('diff=x'),
      () => set('diff.x.textconv', 'RUN'),
    ],
    [
      'filter.DRIVER.clean',
      'ask',
      () => attributes('filter=x'),
      () => set('filter.x.clean', 'RUN'),
    ],
    [
      'filter.DRIVER.process',
      'ask',
      () => attributes('filter=x'),
      () => set('filter.x.process', 'RUN'),
    ],
    ['filter.DRIVER.required', 'ask', () => set('filter.x.required', 'true')],
    ['merge.DRIVER.driver', 'ask', () => set('merge.x.driver', 'RUN')],
    ['gpg.program', 'ask', () => set('gpg.program', 'RUN'), () => set('log.showSignature', 'true')],
    ['gpg.ssh.program', 'ask', () => set('gpg.ssh.program', 'RUN')],
    ['format.pretty', 'ask', () => set('format.pretty', '%G?')],
    ['alias', 'ask', () => set('alias.status', '!RUN')],
    ['credential.helper', 'ask', () => set('credential.helper', '!RUN')],
    ['blame.ignoreRevsFile', 'ask', () => set('blame.ignoreRevsFile', '../secret/a.txt')],
    ['mailmap.file', 'ask', () => set('mailmap.file', '../secret/a.txt')],
    ['status.submoduleSummary', 'ask', () => set('status.submoduleSummary', 'true')],
    ['lfs.extension', 'ask', () => set('lfs.extension.x.clean', 'RUN')],
    [
      'a promisor',
      'ask',
      () => set('remote.o.promisor', 'true'),
      () => set('remote.o.uploadpack', 'RUN'),
    ],
    [
      'include.path',
      'ask',
      () => set('include.path', '../more'),
      () => put('work/more', monitor()),
    ],
    [
      'includeIf',
      'ask',
      () => set('includeIf.gitdir:/.path', '../more'),
      () => put('work/more', monitor()),
    ],
    [
      'config.worktree',
      'ask',
      () => set('extensions.worktreeConfig', 'true'),
      () => put('work/.git/config.worktree', monitor()),
    ],
    ['core.worktree', 'ask', () => set('core.worktree', '../../secret')],
    ['.git that is a link', 'ask', () => link('secret/.git', 'work/.git')],
    [
      '.git that names another one',
      'ask',
      () => rmSync(place('work/.git'), { recursive: true }),
      () => put('work/.git', 'gitdir: ../secret/.git'),
    ],
    ['a common folder elsewhere', 'ask', () => put('work/.git/commondir', '../../secret/.git')],
    ['objects elsewhere', 'ask', () => link('secret/.git/objects', 'work/.git/objects')],
    [
      'objects borrowed',
      'ask',
      () => put('work/.git/objects/info/alternates', place('secret/.git/objects')),
    ],
    [
      'a ref elsewhere',
      'ask',
      () => link('secret/.git/refs/heads/main', 'work/.git/refs/heads/other'),
    ],
    [
      'a ref elsewhere that is called like the hooks',
      'ask',
      () => link('secret/a.txt', 'work/.git/refs/heads/hooks'),
    ],
    ['the state of a rebase elsewhere', 'ask', () => link('secret', 'work/.git/rebase-merge')],
    [
      'what Git and people set',
      'allow',
      ...plain.map(
        ([name, value]) =>
          () =>
            set(name, value),
      ),
    ],
  ])('%s', async (_name, verdict, ...plants) => {
    touch()
    for (const plant of plants) plant()
    await judged(lines, verdict)
  })

  it.each<[string, 'ask' | 'allow', ...(() => void)[]]>([
    ['names nothing', 'allow'],
    ['names a program', 'ask', () => set('core.fsmonitor', 'RUN', 'work/sub')],
    ['has one below that does', 'ask', () => set('core.fsmonitor', 'RUN', 'work/sub/below')],
    [
      'is a folder of its own',
      'ask',
      () => own('work/sub'),
      () => set('core.fsmonitor', 'RUN', 'work/sub'),
    ],
  ])('of a submodule that %s', async (_name, verdict, ...plants) => {
    git('below', 'init', '-q')
    git('below', 'commit', '-q', '--allow-empty', '-m', 'x')
    git('secret', 'submodule', 'add', '-q', place('below'), 'below')
    git('secret', 'commit', '-qm', 'x')
    git('work', 'submodule', 'add', '-q', place('secret'), 'sub')
    git('work', 'submodule', 'update', '-q', '--init', '--recursive')
    put('work/sub/a.txt', 'changed\n')
    for (const plant of plants) plant()
    await judged(['git status', 'git diff'], verdict)
  })

  it('counts in a folder below, too', async () => {
    git('work/below', 'init', '-q')
    put('work/below/a.txt', 'b\n')
    set('core.fsmonitor', 'RUN', 'work/below')
    for (const line of ['cd below && git status', 'cd below; cd ..; git status'])
      expect(await tried(line)).toMatchObject({ verdict: 'ask' })
    expect(await tried('git status', 'below')).toMatchObject({ verdict: 'ask' })
    expect(await tried('git status')).toMatchObject({ verdict: 'allow' })
    expect(existsSync(place('ran'))).toBe(false)
  })

  it('counts in a folder that only looks like a repository', async () => {
    renameSync(place('work/.git'), place('work/fake'))
    set('core.bare', 'false', 'work/fake')
    set('core.worktree', '..', 'work/fake')
    set('core.fsmonitor', 'RUN', 'work/fake')
    expect(await tried('cd fake && git status')).toMatchObject({ verdict: 'ask' })
    expect(await tried('git log -p', 'fake')).toMatchObject({ verdict: 'ask' })
    expect(existsSync(place('ran'))).toBe(false)
  })

  it('does not keep a worktree of another checkout from being looked at, nor a folder without one', async () => {
    git('work', 'worktree', 'add', '-q', '../tree')
    const tree = await toolWorld({ workspace: place('tree') })
    const verdictOf = (command: string) => tree.tool('bash').judge?.({ command, cwd: '.' }).verdict
    expect(['git status', 'git log -p'].map(verdictOf)).toEqual(['allow', 'allow'])
    put('tree/.git', `gitdir: ${place('secret/.git')}\n`)
    expect(verdictOf('git log -p')).toBe('ask')
    rmSync(place('tree/.git'))
    expect(['git status', 'git log', 'git diff'].map(verdictOf)).toEqual(['allow', 'allow', 'ask'])
    await tree.close()
  })

  it('does not reach Git by the environment of the person, where it is let through', async () => {
    touch()
    const environment = { PATH: process.env.PATH ?? '', GIT_EXTERNAL_DIFF: place('run.sh') }
    const own = await toolWorld({ workspace: world.folder, environment })
    expect(own.tool('bash').judge?.({ command: 'git diff', cwd: '.' }).verdict).toBe('allow')
    const { output } = await own.call<CommandOutcome>('bash', { command: 'git diff' })
    expect(output).toContain('+b')
    expect(existsSync(place('ran'))).toBe(false)
    await own.close()
  })
})
