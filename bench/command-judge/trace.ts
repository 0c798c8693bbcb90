import { basename, relative } from 'node:path'
import type { World } from './world.ts'

/** Calls of the system by which something is opened, started, changed or reached. */
export const tracedCalls =
  'execve,execveat,open,openat,openat2,creat,connect,bind,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,mknod,mknodat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,truncate,ftruncate,setxattr,ptrace,kill'

/** Programs that lines may start. */
const readers = new Set(
  'bash cat cmp comm cut date df diff dirname basename du find git grep head id ls md5sum nl readlink realpath sha1sum sha256sum sha512sum sort stat tail tr uname uniq wc which whoami sh'.split(
    ' ',
  ),
)
/** What programs open of the system by themselves, without being told to. */
const systemFiles =
  /^(?:\/(?:usr|lib|lib64)\/.*|\/etc\/(?:ld\.so\.\w+|passwd|group|nsswitch\.conf|localtime|locale\.\w+|gitconfig|mtab|host\.conf)|\/dev\/(?:null|tty|urandom)|\/proc\/(?:\d+|self)\/(?:mountinfo|mounts|maps|task\/.*comm)|\/proc\/(?:filesystems|meminfo|mounts|sys\/.*|cpuinfo)|\/sys\/.*|pipe:.*|\/run\/.*)$/
const closedNames = /(?:^|\/)(?:\.env|\.npmrc|key\.pem|\.ssh\/.*|\.scholium\/.*)$/

/** An effect of one of the lines, by its number. */
export interface TracedEffect {
  readonly at: number
  readonly effect: string
}

/** What a trace of strace shows that no command may do which only reads. */
export function tracedEffects(
  trace: string,
  { mark, world }: { readonly mark: string; readonly world: World },
): readonly TracedEffect[] {
  const found: TracedEffect[] = []
  const unfinished = new Map<string, string>()
  const programs = new Map<string, string>()
  let at = -1
  for (const raw of trace.split('\n')) {
    const [, process = '', text = ''] = /^(\d+) +(.*)$/.exec(raw) ?? []
    if (text.endsWith('<unfinished ...>')) {
      unfinished.set(process, text.slice(0, -'<unfinished ...>'.length))
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)
    const whole = resumed === null ? text : `${unfinished.get(process) ?? ''}${resumed[1]}`
    const marked = whole.includes(mark) ? /"[^"]*\/(\d+)"/.exec(whole) : null
    if (marked !== null) at = Number(marked[1])
    const started = /^execve\("([^"]*)".* = 0$/.exec(whole)?.[1]
    if (started !== undefined) programs.set(process, basename(started))
    const isOfGit = programs.get(process) === 'git'
    const effect = marked === null && at >= 0 ? effectOf(whole, world, isOfGit) : undefined
    if (effect !== undefined) found.push({ at, effect: `${effect}: ${whole.slice(0, 300)}` })
  }
  return found
}

function effectOf(call: string, { root }: World, isOfGit: boolean): string | undefined {
  const [, name = ''] = /^(\w+)\(/.exec(call) ?? []
  if (name === '' || / = -1 /.test(call) || / = \?/.test(call)) return undefined
  if (name.startsWith('execve')) {
    const program = /"([^"]*)"/.exec(call)?.[1] ?? ''
    const isOfSystem = /^\/(?:usr\/)?(?:bin|lib\/git-core)\//.test(program)
    return isOfSystem && readers.has(basename(program)) ? undefined : 'started a program'
  }
  if (name === 'connect' || name === 'bind')
    return /AF_UNIX|AF_NETLINK/.test(call) ? undefined : 'reached the network'
  if (!/^(?:open|creat)/.test(name)) return 'changed something'
  const path = / = \d+<(.*)>$/.exec(call)?.[1] ?? ''
  if (path === '/dev/null' || path === '/dev/tty') return undefined
  if (/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(call)) return 'wrote'
  const way = relative(root, path)
  if (way.startsWith('..') || way === path)
    return systemFiles.test(path) ? undefined : 'opened what is elsewhere'
  if (way === 'home/.gitconfig' || way === 'records' || way === 'home/.config/git/config')
    return undefined
  const isOfWork = way === 'project' || way.startsWith('project/')
  // Git reads what it has to compare; whether it prints some of it, is seen in what is printed.
  return isOfWork && (isOfGit || !closedNames.test(way)) ? undefined : 'opened what is closed'
}
