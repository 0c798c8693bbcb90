import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createCodeWorkspace } from '../../src/code/tools/files/code-workspace.ts'
import { createCommandEnvironment } from '../../src/code/tools/processes/command-environment.ts'
import { createReadingGuard } from '../../src/code/tools/processes/reading-guard.ts'
import { type CommandJudge, createCommandJudge } from '../../src/code/tools/shell/judge-command.ts'

/** A folder that somebody made to do harm, with what must not be seen around it. */
export interface World {
  readonly name: string
  /** What holds all of it: also what is outside of the workspace. */
  readonly root: string
  readonly workspace: string
  readonly environment: Readonly<Record<string, string>>
  readonly judge: CommandJudge
}

/** What stands in files that no command may show; each with the file's name behind it. */
export const canary = 'k9w2zq7x'
/** A file into which every planted program writes. */
export const ranFile = 'ran'

const program = (root: string) =>
  `#!/bin/sh\necho "$0 $*" >> '${join(root, ranFile)}'\nexec /bin/cat /dev/null\n`

/** Makes the worlds, which differ in what Git and `PATH` find in them. */
export function makeWorlds(folder: string): readonly World[] {
  return [
    makeWorld(join(folder, 'plain'), () => {}),
    makeWorld(join(folder, 'config'), plantConfiguration),
    makeWorld(join(folder, 'submodule'), plantSubmodule),
    makeWorld(join(folder, 'borrowed'), plantBorrowed),
    makeWorld(join(folder, 'path'), () => {}, ':bin:.:WORK/bin:'),
  ]
}

function makeWorld(root: string, plant: (root: string) => void, path = ''): World {
  const workspace = join(root, 'project')
  for (const [way, text] of files) put(root, way, text)
  for (const name of planted) put(root, `project/${name}`, program(root), 0o755)
  for (const [way, target] of links) {
    mkdirSync(dirname(join(workspace, way)), { recursive: true })
    symlinkSync(target, join(workspace, way))
  }
  for (const place of ['outside', 'project']) commitAll(join(root, place))
  put(root, 'project/.git/description', `${canary} project/.git/description\n`)
  plant(root)
  // Git looks at files again whose time is another one.
  put(root, 'project/a.txt', 'changed\n')
  const environment = createCommandEnvironment(
    {
      PATH: `${path.replace('WORK', workspace).slice(1)}${path === '' ? '' : ':'}/usr/local/bin:/usr/bin:/bin`,
      HOME: join(root, 'home'),
      LANG: 'C.UTF-8',
      PLAIN: canary,
    },
    { names: [], values: [] },
  )
  const site = { workspace: createCodeWorkspace({ workspace }), folder: workspace, environment }
  const judge = createCommandJudge([], createReadingGuard(site))
  return { name: root.split('/').at(-1) ?? '', root, workspace, environment, judge }
}

/** Those that hold what must not be seen say so. */
const files: readonly (readonly [way: string, text: string])[] = [
  ...['a.txt', 'a/b/c.txt', 'x:y', 'k=v', 'sp ace.txt', '100', 'push', '*.txt', 'a/told.txt'].map(
    (way) => [`project/${way}`, `${way}\nb\na\n`] as const,
  ),
  ...['.env', 'a/.env', 'key.pem', '.ssh/id_rsa', '.scholium/runs.db', 'a/.npmrc'].map(
    (way) => [`project/${way}`, `${canary} project/${way}\n`] as const,
  ),
  ...['told.txt', 'a.txt', 'inner/a.txt', 'inner/b/c.txt', 'told', 'x:y'].map(
    (way) => [`outside/${way}`, `${canary} outside/${way}\n`] as const,
  ),
  ['home/.profile', `${canary} home\n`],
  ['home/.gitconfig', '[user]\n\tname = x\n\temail = x@x.example\n'],
  ['project/list', '../outside/told.txt\0'],
]

const planted = [
  'bin/ls',
  'bin/cat',
  'bin/git',
  'bin/grep',
  'cat',
  'git',
  'find',
  'a/sort',
  'run.sh',
]

const links: readonly (readonly [way: string, target: string])[] = [
  ...['-n', '-l', '--help', '-r', 'told.txt', 'k:v', '12345678901', '-', 'HEAD'].map(
    (way) => [way, '../outside/told.txt'] as const,
  ),
  ...[
    ['out', '../outside'],
    ['inner', '../outside/inner'],
    ['a/b/deep', '../../../outside'],
    ['a/up', '..'],
    ['a/upup', '../..'],
    ['a/down', 'b'],
    ['a/env', '../.env'],
    ['loop', 'loop'],
    ['gone', 'nowhere'],
    ['proc', '/proc'],
    ['here', '/proc/self/cwd/../../..'],
    ['environ', '/proc/self/environ'],
    ['fd', '/dev/fd'],
    ['gitlink', '.git'],
  ].map(([way = '', target = '']) => [way, target] as const),
]

function put(root: string, way: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, way)), { recursive: true })
  writeFileSync(join(root, way), text)
  chmodSync(join(root, way), mode)
}

function git(folder: string, ...words: string[]): void {
  const own = [
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@x.example',
    '-c',
    'protocol.file.allow=always',
  ]
  execFileSync('/usr/bin/git', [...own, ...words], { cwd: folder, stdio: 'ignore' })
}

/** Three commits, of which one holds keys and one takes them out. */
function commitAll(folder: string): void {
  git(folder, 'init', '-qb', 'main')
  for (const words of [
    ['add', '-Af', '.'],
    ['rm', '-rq', '--cached', 'a.txt'],
    ['add', '-Af', 'a.txt'],
  ]) {
    git(folder, ...words)
    git(folder, 'commit', '-qm', words.join(' '))
  }
  git(folder, 'tag', 'v1')
  git(folder, 'tag', '-am', 'x', 'keys', 'HEAD~2')
}

function plantConfiguration(root: string): void {
  const run = join(root, 'project/run.sh')
  put(root, 'project/.gitattributes', '* diff=x filter=x\n')
  put(root, 'project/.git/hooks/post-index-change', program(root), 0o755)
  const settings = [
    'core.fsmonitor',
    'diff.external',
    'diff.x.textconv',
    'diff.x.command',
    'filter.x.clean',
    'filter.x.smudge',
    'core.pager',
    'gpg.program',
    'core.sshCommand',
  ]
  for (const name of settings) git(join(root, 'project'), 'config', name, run)
}

function plantSubmodule(root: string): void {
  git(join(root, 'project'), 'submodule', 'add', '-q', join(root, 'outside'), 'a/sub')
  git(join(root, 'project'), 'commit', '-qm', 'sub')
  put(root, 'project/a/sub/a.txt', 'changed\n')
  git(join(root, 'project/a/sub'), 'config', 'core.fsmonitor', join(root, 'project/run.sh'))
}

function plantBorrowed(root: string): void {
  put(root, 'project/.git/objects/info/alternates', `${join(root, 'outside/.git/objects')}\n`)
  symlinkSync(
    '../../../../outside/.git/refs/heads/main',
    join(root, 'project/.git/refs/heads/other'),
  )
}
