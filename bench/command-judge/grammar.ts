/** Gives numbers from 0 to 1, the same for the same seed. @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c mulberry32 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A source of hostile command lines. */
export interface Grammar {
  /** A line, and the folder in which it begins. */
  next(): { readonly line: string; readonly cwd: string }
}

/** Options of each program: those that only read, and what they are mixed with. */
const programs: Readonly<Record<string, readonly string[]>> = {
  ls: '-l -a -la -R -RL -L -H -d -1 -i -F --color --recursive --dereference --recurs -Z -I* --ignore=x --time-style=+%s'.split(
    ' ',
  ),
  cat: '-n -A -b -s -v --number --numb -u -l'.split(' '),
  head: '-1 -n1 -n -c9 --lines=1 --bytes 9 -q -v -z -9999'.split(' '),
  tail: '-1 -n+1 -c9 -f -F --follow --retry -n --pid=1 -q -vn1'.split(' '),
  wc: '-l -c -lc --files0-from=list --files0-f list --total=always'.split(' '),
  nl: '-ba -p -n'.split(' '),
  cut: '-c1-9 -d: -f1 -b1 --output-delimiter=x -z'.split(' '),
  tr: 'a b -d -s'.split(' '),
  cmp: '-l -s -n9 -i1'.split(' '),
  comm: '-12 -3 --total'.split(' '),
  diff: '-u -r -N -q -y -l --to-file=out --from-file=out --to-file --label=x -rN --paginate -X list --exclude-from=told.txt -I a -S a'.split(
    ' ',
  ),
  stat: '-c%n -L -f -t --printf=%n --dereference'.split(' '),
  du: '-s -a -h -L -D -H --files0-from=list -X told.txt --exclude-from=told.txt -d1'.split(' '),
  df: '-h -T --sync --output'.split(' '),
  realpath: '-s -m -e --relative-to=out'.split(' '),
  readlink: '-f -e -m -n'.split(' '),
  which: '-a --read-alias'.split(' '),
  date: '+%s -u -d@0 -f list -r told.txt -s0 --reference=told.txt'.split(' '),
  md5sum: '-b -c --check list --tag'.split(' '),
  find: '. -name -type f -maxdepth 2 -print -print0 -delete -exec cat {} + -ok -fprint x -fls x -L -H -P -follow -newer -samefile ! -o ( ) -files0-from list -printf %p'.split(
    ' ',
  ),
  grep: '-n -r -R -f told.txt -flist -e a -v -c -l -rn --include=* --file=told.txt --recursive -A1 -d recurse -D read --exclude-from=told.txt -H -z -P outside a . --regexp=. -E'.split(
    ' ',
  ),
  sort: '-n -r -k1 -t: -o x -ox --output=x -T . --compress-program=./run.sh --files0-from=list -S1 --random-source=told.txt -c -m -u -nro'.split(
    ' ',
  ),
  uniq: '-c -d -f1 x'.split(' '),
  echo: '-e \\x41 -n *'.split(' '),
  pwd: '-P -L'.split(' '),
  cd: '-P -L -e - --'.split(' '),
  git: [],
}

const gitWords: readonly (readonly string[])[] = [
  'status -s -sb -v --short -uall --porcelain --ignored'.split(' '),
  'log -p -1 --oneline --stat -n 5 --all --graph --format=%H --format=%G? -S a -G a --output=x --ext-diff --textconv -L1,1:a.txt --follow --pretty=%B'.split(
    ' ',
  ),
  'diff --cached --stat HEAD~1 --name-only --no-index --ext-diff --output=x --word-diff -U9 v1 keys --submodule=diff --no-ext-diff'.split(
    ' ',
  ),
  'show HEAD v1 keys HEAD:a.txt keys:.env --stat -s HEAD~1 :a.txt --textconv keys^{tree}'.split(
    ' ',
  ),
  'blame -L1,2 -s --contents told.txt -w --ignore-revs-file told.txt'.split(' '),
  'ls-files -o -c -s --exclude-from=told.txt -X told.txt --others --exclude-standard --recurse-submodules'.split(
    ' ',
  ),
  'rev-parse HEAD --show-toplevel --git-dir --short --parseopt --resolve-git-dir out'.split(' '),
  'branch --list -a -v x --show-current --merged --format=%(objectname) --sort=refname -D'.split(
    ' ',
  ),
  'tag -l --list -n x --format=%(contents) v1'.split(' '),
  'stash list -p'.split(' '),
  'grep outside -O./run.sh -f told.txt'.split(' '),
  '-C out -c core.pager=./run.sh --git-dir=out/.git --no-pager -p log -p'.split(' '),
]

const names =
  'a.txt a a/b a/b/c.txt . .. ./ out inner told.txt a/told.txt out/told.txt inner/a.txt inner/.. inner/../told.txt a/up a/upup a/upup/outside/told.txt a/down/c.txt a/b/deep a/b/deep/told.txt a/env .env a/.env key.pem .ssh/id_rsa .scholium/runs.db .git/config gitlink/config k:v x:y k=v 100 12345678901 -n -l -- - --help loop gone push *.txt proc/self/environ here/outside/told.txt environ fd/0 /proc/self/environ /proc/self/mem /dev/stdin /dev/null /etc/passwd ROOT/outside/told.txt ROOT/work/a.txt ROOT/work/../outside/told.txt ROOT/home/.profile ~ ~/.profile HEAD list'.split(
    ' ',
  )

const separators = [
  ' && ',
  '; ',
  ' | ',
  ' || ',
  ' & ',
  '\n',
  ' |& ',
  ';',
  '&&',
  '|',
  ' ; ( ',
  ' ) ',
  ' & & ',
]
const redirects =
  '<a.txt <told.txt <out/told.txt >x >>x >|x <>x &>x 2>x 2>&1 >/dev/null 2>/dev/null <<<a <<<$X >&2 >&3 <&0 0<told.txt 12345678901<a.txt 2&>x >&x {fd}>x <(cat) >(cat) </dev/tcp/127.0.0.1/1'.split(
    ' ',
  )
const prefixes = [
  'X=1 ',
  'PATH=bin ',
  'PATH=. ',
  'env ',
  'command ',
  'exec ',
  'builtin ',
  '! ',
  'time ',
  '\\',
  'nice ',
  'GIT_DIR=out/.git ',
  'LD_PRELOAD=x ',
  'eval ',
  './',
  'bin/',
]
const oddities = [
  '*',
  '?',
  '[a]*',
  '{a,out}',
  '$X',
  '$(cat told.txt)',
  '`cat told.txt`',
  '~',
  "$'\\x2e'",
  '$"a"',
  '$\u007bX}',
  '$((1))',
  '\u00a0',
  '\u2003',
  '\r',
  '\t',
  '\\\n',
  '#',
  '!',
  '\u202e',
  '\\',
  "'",
  '"',
  '{',
  '}',
  '(',
  ')',
  '=',
  ':',
  '\u00e9',
  '\u0000',
  ';',
  '&',
  '<',
  '>',
  '|',
  '\v',
  '@(a|out)',
  '%1',
  '+(a)',
]

/** Lines that begin from the tables of cases and from a grammar of programs, options, names and signs. */
export function createGrammar(
  random: () => number,
  root: string,
  cases: readonly string[],
): Grammar {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const chance = (share: number) => random() < share
  const word = () => quoted(shaped(pick(names).replace('ROOT', root)))
  const shaped = (name: string) => {
    if (chance(0.6)) return name
    return pick([
      `./${name}`,
      `a/../${name}`,
      `a/up/${name}`,
      `${name}/`,
      `.//${name}`,
      `inner/../${name}`,
      `--x=${name}`,
      `-x${name}`,
      `${name}:${name}`,
      `HEAD:${name}`,
      `:${name}`,
      `@${name}`,
      `a/down/../${name}`,
    ])
  }
  const quoted = (text: string) => {
    if (chance(0.7)) return text
    const at = Math.floor(random() * (text.length + 1))
    const [before, after] = [text.slice(0, at), text.slice(at)]
    return pick([
      `'${text}'`,
      `"${text}"`,
      `${before}'${after}'`,
      `"${before}"${after}`,
      `${before}""${after}`,
      `\\${text}`,
      `${before}${pick(oddities)}${after}`,
    ])
  }
  const option = (from: readonly string[]) => {
    const one = pick(from) ?? ''
    if (chance(0.85)) return one
    if (one.startsWith('--')) return one.slice(0, 3 + Math.floor(random() * one.length))
    return one.startsWith('-') ? `${one}${pick([...'acdefilmnoprstuvzLRHF0'])}` : one
  }
  const command = () => {
    const name = chance(0.1) ? 'git' : pick(Object.keys(programs))
    const options = name === 'git' ? pick(gitWords) : (programs[name] ?? [])
    const words =
      name === 'git'
        ? [options[0] ?? '', ...some(() => option(options.slice(1)))]
        : some(() => option(options))
    const all = [
      ...words,
      ...some(word),
      ...(chance(0.15) ? [pick(redirects)] : []),
      ...(chance(0.05) ? [option(options)] : []),
    ]
    const prefix = chance(0.03) ? pick(prefixes) : ''
    return `${prefix}${name} ${all.join(' ')}`.trimEnd()
  }
  const some = (make: () => string) =>
    Array.from({ length: Math.floor(random() * random() * 7) }, make)
  const changed = (line: string) => {
    if (chance(0.75)) return line
    const at = Math.floor(random() * (line.length + 1))
    const cut = chance(0.3) ? 1 : 0
    return `${line.slice(0, at)}${chance(0.5) ? pick(oddities) : word()}${line.slice(at + cut)}`
  }
  const line = () => {
    if (chance(0.1))
      return changed(`${pick(cases)}${chance(0.4) ? pick(separators) + command() : ''}`)
    let text = chance(0.3)
      ? `cd ${some(() => pick(['-P', '-L', '--'])).join(' ')} ${word()}${pick(separators)}${command()}`
      : command()
    while (chance(0.25)) text += `${pick(separators)}${command()}`
    return changed(chance(0.03) ? `(${text})` : text)
  }
  return {
    next: () => ({
      line: line(),
      cwd: chance(0.85)
        ? '.'
        : pick(['a', 'a/b', 'a/up', 'a/down', 'out', 'a/upup', './a/..', 'inner/..']),
    }),
  }
}
