import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ToolWorld, toolWorld } from './tool-world.ts'

let world: ToolWorld
/** The hash of the bytes of a key. */
let blob: string
/** The hash of a folder, in which a key has another name. */
let tree: string
/** Commits: of keys, of text alone, of a file that was made of a key, and one that takes the keys out. */
let [keys, plain, copied, without] = ['', '', '', '']

const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.example', ...words], {
    cwd: world.folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
const commit = async (files: Parameters<ToolWorld['write']>[0]) => {
  await world.write(files)
  git('add', '-Af')
  git('commit', '-qm', 'x')
  return git('rev-parse', 'HEAD')
}

beforeAll(async () => {
  world = await toolWorld({
    readVerdict: (way) => (way.startsWith('private/') ? 'deny' : undefined),
  })
  git('init', '-qb', 'main')
  await commit({ 'a.txt': 'a\n', 'inner/b.txt': 'b\n' })
  keys = await commit({ '.env': 'K=1\n', 'private/c.txt': 'c\n', 'old/.env': 'K=0\n' })
  blob = git('rev-parse', 'HEAD:.env')
  tree = git('rev-parse', 'HEAD:private')
  git('tag', '-am', 'x', 'folder', tree)
  git('tag', 'keys')
  git('tag', 'key', blob)
  plain = await commit({ 'a.txt': 'a\nb\n' })
  copied = await commit({ 'copy.txt': 'K=1\nx\n' })
  git('rm', '-qr', '--cached', '.env', 'private', 'old')
  git('commit', '-qm', 'x')
  without = git('rev-parse', 'HEAD')
  await world.write({
    'a.txt': 'a\nb\nc\n',
    'inner/.env': 'K=2\n',
    '.gitignore': '.env\nprivate\n',
  })
  await symlink('../.env', world.path('inner/link'))
  await rm(world.path('old/.env'))
  await symlink('../a.txt', world.path('old/.env'))
  await mkdir(world.path('empty'))
})
afterAll(async () => {
  await world.close()
  await rm(world.folder, { recursive: true })
})

const verdictOf = (line: string, cwd = '.') => {
  const bash = world.tool('bash')
  const filled = line
    .replaceAll('KEYS', keys)
    .replaceAll('PLAIN', plain)
    .replaceAll('COPIED', copied)
    .replaceAll('WITHOUT', without)
    .replaceAll('BLOB', blob)
    .replaceAll('TREE', tree)
  const parsed = bash.parse({ command: filled, cwd })
  return parsed.ok ? bash.judge?.(parsed.value).verdict : 'invalid'
}

describe('commands that only look', () => {
  it.each([
    'git diff',
    'git diff HEAD -- a.txt',
    'git diff --cached --stat',
    'git diff PLAIN~1 PLAIN',
    "git diff 'main@{0}' HEAD -- inner/b.txt",
    'git status; ls && git show PLAIN | head -5',
    'git show keys:a.txt keys~1:a.txt',
    'git diff --stat KEYS~1..KEYS',
    'git show PLAIN',
    'git show --stat -M -C COPIED',
    'git show --oneline -U5 PLAIN -- a.txt',
    'git show HEAD:a.txt',
    'git show HEAD:./inner/b.txt | head -5',
    'git log',
    'git log --oneline -n 20 --graph --all -- .',
    'git log -5 --stat --pretty=format:"%h %s"',
    'git log -p -n 1 PLAIN',
    'git log -p --follow -- a.txt',
    'cd inner && git log -p -- b.txt',
    'git stash list',
    'git status -sb',
    'git blame a.txt',
    'diff a.txt inner/b.txt',
  ])('may print %j without a question', (line) => expect(verdictOf(line)).toBe('allow'))

  it.each([
    ...['git diff KEYS~1 KEYS', 'git diff KEYS', 'git diff KEYS~1...KEYS', 'git diff HEAD~2 -- .'],
    ...['git show KEYS', 'git show WITHOUT', 'git show --stat -p KEYS', 'git show KEYS -- private'],
    ...['git show KEYS:.env', 'git show KEYS:private/c.txt', 'git show KEYS:./.env'],
    ...['git show -C -C COPIED', 'git log -p -C -C10% COPIED', 'git diff -C -C PLAIN COPIED'],
    ...['git show BLOB', 'git show --stat BLOB', 'git show x-1-gBLOB', "git show 'BLOB^{}'"],
    ...['git show TREE:c.txt', 'git show folder:c.txt', 'git show HEAD..TREE:c.txt'],
    ...['git show HEAD:a.txt folder:c.txt', 'git diff folder HEAD -- c.txt', 'git diff folder'],
    ...[
      'git show TREE',
      'git show folder',
      'git show key',
      'git diff key key',
      'git log -p --tags',
    ],
    ...['git show keys:.env', 'git show keys:old/.env', 'git diff keys -- old'],
    ...['git diff BLOB a.txt', 'git diff BLOB..BLOB', "git diff 'BLOB^{blob}' a.txt"],
    ...[
      'git diff KEYS:.env a.txt',
      'git diff KEYS:inner',
      'cd empty; git diff -R PLAIN --all',
      'git show --all HEAD:a.txt',
      'cd empty; git diff HEAD:inner',
      'git log -p -n KEYS',
      'git log -p -n',
      'git diff KEYS:inner',
      'cd empty; git diff HEAD:inner',
      "git show 'HEAD^{/x:a.txt}'",
      'git show :/x',
      'git show :0:.env',
    ],
    ...[
      'git log -p',
      'git log -u',
      'git log -U1',
      'git log --patch',
      'git log --pat',
      'git log -c',
    ],
    ...[
      'git log --cc',
      'git log -m',
      'git log --word-diff',
      'git log -W',
      'git log --remerge-diff',
    ],
    ...[
      'git log -G^K=1',
      'git log -SK=1',
      'git log --check',
      'git log -L1,1:.env',
      'git log --binary',
    ],
    ...['git log -p --all -- a.txt private', 'echo KEYS | git log -p --stdin', 'git stash list -p'],
    ...['cd inner && git show KEYS', 'cd .. && git diff', 'git status -v', 'git status -vv'],
    ...['git status --verb', 'git blame .env', 'git blame KEYS -- .env', 'git cat-file -p BLOB'],
    ...['git grep K', 'git archive HEAD', 'git remote -v', 'git config -l', 'git --no-pager diff'],
    ...[
      'diff -N inner empty',
      'diff . inner',
      'diff a.txt private',
      'diff -r . inner',
      'cat inner/link',
    ],
    ...['cat .env', "cat '.e'nv", 'cat .e*', 'cat ./inner/../.env', 'head -c9 .ENV', 'cat <.env'],
    ...['grep K .env', 'grep -r K', 'grep -rn K .', 'grep --recursive K', 'grep -d recurse K .'],
    ...[
      'grep -f .env a.txt',
      'rg K',
      'rg -uu K',
      'cat <<< $HOME',
      'cat <<< ~',
      'echo $HOME',
      'env',
    ],
    ...['printenv', 'set', 'export -p', 'cat /proc/self/environ', 'wc --files0-from=.env', 'cat *'],
    ...[
      'cat $(ls)',
      'find . -files0-from .env',
      'sort --files0-from=.env',
      'date -f .env',
      'nl .env',
    ],
  ])('do not print what read refuses: %j', (line) => expect(verdictOf(line)).toBe('ask'))

  it.each([
    ...['git -c alias.x=!sh x', 'git -c core.pager=sh log', 'git --exec-path=. status', 'git x'],
    ...['git diff --ext-diff', 'git diff --textconv', 'git diff --output=x', 'git log --output x'],
    ...[
      'git diff --no-index a.txt /etc/passwd',
      'git log --show-signature',
      'git log --format=%G?',
    ],
    ...[
      "git branch --list --format='%(signature)'",
      'git branch --list --no-list new',
      'git branch x',
    ],
    ...[
      'git branch -D main',
      'git tag x',
      'git fetch',
      'git pull',
      'git ls-remote',
      'git diff -Ox',
    ],
    ...[
      'git submodule status',
      'git help -w',
      'git bisect run sh',
      'git rebase -x sh',
      'git show >x',
    ],
    ...[
      'env -S "rm a"',
      'env rm a',
      'command rm a',
      'xargs rm',
      'eval rm',
      'exec rm',
      'nohup rm a',
    ],
    ...[
      'sh -c ls',
      'bash -c ls',
      'source a.txt',
      '. a.txt',
      'trap ls EXIT',
      'alias ls=rm',
      'find . -fls x',
    ],
    ...[
      'find . -fprintf x a',
      'find . -fprint0 x',
      'find . -ok rm {} \\;',
      'find . -execdir rm {} +',
    ],
    ...['find . -delete', `sed 's/a/touch x/e' a.txt`, 'sed -n 1w/x a.txt', 'sed -i s/a/b/ a.txt'],
    ...[
      `awk 'BEGIN{system("ls")}'`,
      'perl -e 1',
      'python3 -c 1',
      'node -e 1',
      'tar --to-command=sh -xf a',
    ],
    ...[
      'tar -cf x --checkpoint-action=exec=sh a',
      'rg --pre sh K',
      'sort --compress-program=sh a.txt',
    ],
    ...[
      'sort --comp=sh a.txt',
      'sort -ox a.txt',
      'ssh -oProxyCommand=ls x',
      'curl x',
      'wget x',
      'nc x 1',
    ],
    ...[
      'ping x',
      'dig x',
      'scp a.txt x:',
      'tee x',
      'dd of=x',
      'cp a.txt x',
      'ln -s a x',
      'vim -c :!ls',
    ],
    ...[
      'less a.txt',
      'man ls',
      'ls; rm a',
      'ls && rm a',
      'ls || rm a',
      'ls | sh',
      'ls & rm a',
      'ls\nrm a',
    ],
    ...[
      'echo `rm a`',
      'echo $(rm a)',
      'echo "$(rm a)"',
      'echo "`rm a`"',
      'cat <(rm a)',
      'ls >(rm a)',
    ],
    ...[
      'cat <<X\n$(rm a)\nX',
      'cat <<<"$(rm a)"',
      'ls $((a[$(rm a)]))',
      'ls > x',
      'ls >| x',
      'ls &> x',
    ],
    ...['ls 1<> x', 'ls >& x', 'echo > /dev/tcp/127.0.0.1/1', 'cat < /dev/tcp/127.0.0.1/1'],
    ...['LD_PRELOAD=x ls', 'GIT_PAGER=sh git log', 'PATH=. ls', './ls', 'l\\\ns; rm a'],
    ...["l$'s'", 'l""s;rm a', '{ rm a; }', '(rm a)'],
    ...[
      'if rm a; then ls; fi',
      'ls() { rm a; }',
      'time rm a',
      '! rm a',
      'coproc rm a',
      '[[ -v a[$(rm)] ]]',
    ],
    ...[
      'printf -v PATH .',
      'read x',
      'test -f a',
      'uniq a x',
      'md5sum -c a.txt',
      'tail -f a.txt',
      'date -s 0',
    ],
  ])('are not what writes, runs others or reaches the network: %j', (line) =>
    expect(verdictOf(line)).toBe('ask'),
  )

  it.each(['ls\u00a0; rm a', 'ls\u2003-la', '\u00a0ls', 'ls\r', '\\ls\u200b'])(
    'are none where nobody sees all of them: %j',
    (line) => expect(verdictOf(line)).toBe('invalid'),
  )

  it.each([
    ['git add -f .env && git diff --cached', ['git add *']],
    ['git checkout keys && git log -p -- a.txt', ['git checkout *']],
    ['git checkout keys | git show HEAD:a.txt', ['git checkout *']],
    ['ls > a.txt; git diff', ['ls *']],
  ])(
    'of Git are asked about where the line changed something before: %j',
    async (line, allowed) => {
      const rules = allowed.map((rule) => ({ rule, verdict: 'allow' as const }))
      const under = await toolWorld({ workspace: world.folder, rules })
      const bash = under.tool('bash')
      const verdictsOf = [line, line.replace(/^(.*?)\s*(?:&&|;|\|)\s*(.*)$/, '$2 && $1')].map(
        (command) => bash.judge?.({ command, cwd: '.' }).verdict,
      )
      expect(verdictsOf).toEqual(['ask', line.includes('>') ? 'ask' : 'allow'])
      await under.close()
    },
  )

  it('wait for Git no longer than once 2 s, and not at all where they are asked about anyway', async () => {
    const slow = await toolWorld()
    // In the workspace it would not be asked.
    await slow.write({
      '../bin/git': `#!/bin/sh\necho $1 >> ${slow.path('asked')}\nexec sleep 30\n`,
    })
    await chmod(slow.path('../bin/git'), 0o755)
    const environment = { PATH: `${slow.path('../bin')}:${process.env.PATH}` }
    const under = await toolWorld({ workspace: slow.folder, environment })
    const judged = (command: string) => under.tool('bash').judge?.({ command, cwd: '.' }).verdict
    expect(judged('touch x; git diff; git show')).toBe('ask')
    await expect(readFile(slow.path('asked'))).rejects.toThrow('ENOENT')
    const startMs = performance.now()
    expect(judged('git diff && git show; git log -p')).toBe('ask')
    expect(performance.now() - startMs).toBeLessThan(30_000)
    expect(await readFile(slow.path('asked'), 'utf8')).toBe('rev-parse\n')
    await under.close()
  })

  it('of Git print no file of the checkout that lies outside of the workspace', async () => {
    const inner = await toolWorld({ workspace: world.path('inner') })
    const bash = inner.tool('bash')
    const verdictsOf = (lines: readonly string[]) =>
      lines.map((command) => bash.judge?.({ command, cwd: '.' }).verdict)
    expect(
      verdictsOf([
        'git diff',
        `git show ${plain}`,
        'git show HEAD:a.txt',
        'git log -p -- ../a.txt',
      ]),
    ).toEqual(['ask', 'ask', 'ask', 'ask'])
    expect(
      verdictsOf(['git diff -- .', 'git show HEAD:inner/b.txt', 'git log -p -- b.txt', 'git log']),
    ).toEqual(['allow', 'allow', 'allow', 'allow'])
    await inner.close()
  })
})
