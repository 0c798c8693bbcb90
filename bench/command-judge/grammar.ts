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
  'a.txt a a/b a/b/c.txt . .. ./ out inner told.txt a/told.txt out/told.txt inner/a.txt inner/.. inner/../told.txt a/up a/upup a/upup/outside/told.txt a/down/c.txt a/b/deep a/b/deep/told.txt a/env .env a/.env key.pem .ssh/id_rsa .scholium/runs.db .git/config gitlink/config k:v x:y k=v 100 12345678901 -n -l -- - --help loop gone push *.txt proc/self/environ here/outside/told.txt environ fd/0 /proc/self/environ /proc/self/mem /dev/stdin /dev/null /etc/passwd ROOT/outside/told.txt ROOT/project/a.txt ROOT/project/../outside/told.txt ROOT/home/.profile ~ ~/.profile HEAD list'.split(
    ' ',
  )

/** Ways to the same file, and words in which its name stands. */
const shapes =
  './NAME a/../NAME a/up/NAME NAME/ .//NAME inner/../NAME --x=NAME -xNAME NAME:NAME HEAD:NAME :NAME @NAME a/down/../NAME'.split(
    ' ',
  )

/** Folders in which lines begin. */
const places = 'a a/b a/up a/down out a/upup ./a/.. inner/..'.split(' ')

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
  '{},t}',
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
export class Grammar {
  private readonly random: () => number
  private readonly root: string
  private readonly cases: readonly string[]

  constructor(random: () => number, root: string, cases: readonly string[]) {
    this.random = random
    this.root = root
    this.cases = cases
  }

  /** A line, and the folder in which it begins. */
  next(): { readonly line: string; readonly cwd: string } {
    return { line: this.line(), cwd: this.chance(0.85) ? '.' : this.pick(places) }
  }

  private line(): string {
    if (this.chance(0.1)) {
      const more = this.chance(0.4) ? this.pick(separators) + this.command() : ''
      return this.changed(`${this.pick(this.cases)}${more}`)
    }
    let text = this.chance(0.3) ? this.moving() : this.command()
    while (this.chance(0.25)) text += `${this.pick(separators)}${this.command()}`
    return this.changed(this.chance(0.03) ? `(${text})` : text)
  }

  private moving(): string {
    const options = this.some(() => this.pick(['-P', '-L', '--'])).join(' ')
    return `cd ${options} ${this.word()}${this.pick(separators)}${this.command()}`
  }

  private command(): string {
    const name = this.chance(0.1) ? 'git' : this.pick(Object.keys(programs))
    const [first = '', ...options] =
      name === 'git' ? this.pick(gitWords) : ['', ...(programs[name] ?? [])]
    const all = [
      first,
      ...this.some(() => this.option(options)),
      ...this.some(() => this.word()),
      ...(this.chance(0.15) ? [this.pick(redirects)] : []),
      ...(this.chance(0.05) ? [this.option(options)] : []),
    ]
    const prefix = this.chance(0.03) ? this.pick(prefixes) : ''
    return `${prefix}${name} ${all.join(' ').trim()}`.trimEnd()
  }

  private option(from: readonly string[]): string {
    const one = this.pick(from) ?? ''
    if (this.chance(0.85)) return one
    if (one.startsWith('--')) return one.slice(0, 3 + this.below(one.length))
    return one.startsWith('-') ? `${one}${this.pick([...'acdefilmnoprstuvzLRHF0'])}` : one
  }

  private word(): string {
    const name = this.pick(names).replace('ROOT', this.root)
    const text = this.chance(0.6) ? name : this.pick(shapes).replaceAll('NAME', name)
    if (this.chance(0.7)) return text
    const at = this.below(text.length + 1)
    const [before, after] = [text.slice(0, at), text.slice(at)]
    return this.pick([
      `'${text}'`,
      `"${text}"`,
      `${before}'${after}'`,
      `"${before}"${after}`,
      `${before}""${after}`,
      `\\${text}`,
      `${before}${this.pick(oddities)}${after}`,
    ])
  }

  private changed(line: string): string {
    if (this.chance(0.75)) return line
    const at = this.below(line.length + 1)
    const put = this.chance(0.5) ? this.pick(oddities) : this.word()
    return `${line.slice(0, at)}${put}${line.slice(at + (this.chance(0.3) ? 1 : 0))}`
  }

  private some(make: () => string): readonly string[] {
    return Array.from({ length: Math.floor(this.random() * this.random() * 7) }, make)
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }

  private below(count: number): number {
    return Math.floor(this.random() * count)
  }

  private chance(share: number): boolean {
    return this.random() < share
  }
}
