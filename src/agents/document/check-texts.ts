import { nearest } from '../../kernel/text/nearest.ts'
import type { AgentDocument } from './agent-document.ts'
import type { DocumentChecks, Report } from './checks.ts'
import type { DocumentText } from './document-texts.ts'

/** Names that every text of a file can read. */
const knownNames = [
  'state',
  'variables',
  'secrets',
  'settings',
  'data',
  'env',
  'checkpoint',
  'input',
]

/** Checks that templates, expressions and conditions can be read, and that the names in them are known. */
export function checkTexts(
  document: AgentDocument,
  texts: readonly DocumentText[],
  { templates, actions }: DocumentChecks,
  report: Report,
): void {
  const stateNames = Object.keys({ ...document.stateSchema, ...document.initialState })
  for (const { text, kind, path, names, parameter } of texts) {
    const [problem] = templates.problemsOf(text, kind)
    if (problem !== undefined) {
      const code = kind === 'condition' ? 'INVALID_CONDITION' : 'INVALID_TEMPLATE'
      const inText = text.includes('\n') ? ` (line ${problem.line} of the text)` : ''
      const hint = problem.hint === undefined ? {} : { hint: problem.hint }
      report({ code, severity: 'error', message: `${problem.message}${inText}`, path, ...hint })
      continue
    }
    const late = parameter === undefined ? [] : (actions.get(parameter.action)?.lateParams ?? [])
    if (parameter !== undefined && late.includes(parameter.key)) continue
    const known = [...knownNames, ...names]
    for (const name of templates.namesOf(text, kind).roots) {
      if (known.includes(name)) continue
      const isState = stateNames.includes(name)
      const meant = isState ? `state.${name}` : nearest(name, known)
      const message = `"${name}" is not a known name here and reads as missing`
      const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${meant}?`
      const code = kind === 'condition' ? 'INVALID_CONDITION' : 'INVALID_TEMPLATE'
      report({ code, severity: 'warning', message, hint, path })
    }
  }
}
