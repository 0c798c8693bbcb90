import type { CodeLanguage } from './agent-document.ts'

const names: Readonly<Record<string, CodeLanguage>> = {
  python: 'python',
  py: 'python',
  lua: 'lua',
  prolog: 'prolog',
  javascript: 'javascript',
  js: 'javascript',
}

/** A first line that names its language in a comment, as `-- lua` and `% prolog` do. */
const marker = /^\s*(?:--|%|#|\/\/)\s*(python|lua|prolog|javascript|js)\b/i
/** A clause (`head :- body`), a directive (`:- use_module(…)`) or a query (`?- goal`) that begins a line. */
const prologClause = /^[ \t]*(?:[a-z]\w*(?:\([^\n]*\))?[ \t]*:-|[:?]-[ \t]*[a-z\\(])/m
/** The state read or written in a goal of its own. */
const prologGoal = /^[ \t]*(?:state|return)\(\w+[ \t]*,[^\n]+\)[ \t]*[,.][ \t]*$/m
const luaLocal = /^[ \t]*local[ \t]+(?:function[ \t]+)?[A-Za-z_]\w*/m

/**
 * The language of a piece of code: the one that is named, else the one that its first line names, else the one that it
 * can only be, else Python.
 */
export function codeLanguage(code: string, named?: string): CodeLanguage {
  const name = named ?? marker.exec(code)?.[1]?.toLowerCase()
  if (name !== undefined) return names[name] ?? 'python'
  if (luaLocal.test(code)) return 'lua'
  const endsAsClause = code.trimEnd().endsWith('.')
  if (endsAsClause && (prologClause.test(code) || prologGoal.test(code))) return 'prolog'
  return 'python'
}
