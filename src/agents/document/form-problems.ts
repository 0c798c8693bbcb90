import type { Document, LineCounter, YAMLError } from 'yaml'
import type { DocumentProblem, Place, ProblemCode } from './problem.ts'

/** After the first few, errors of form only follow from each other. */
export const maxFormErrors = 5

/** Why a text is no YAML, the first error of each line. */
export function formProblems(
  { errors, warnings }: Document,
  lines: LineCounter,
  file: string,
): readonly DocumentProblem[] {
  const all = [...errors, ...warnings]
  const exhausted = all.find(({ code }) => code === 'RESOURCE_EXHAUSTION')
  const found = exhausted === undefined ? all : [exhausted]
  const told = new Map<number, DocumentProblem>()
  for (const error of found) {
    const { line } = lines.linePos(error.pos[0])
    if (told.has(line)) continue
    if (told.size === maxFormErrors) break
    const deeper = found.find((other) => other.pos[0] === error.pos[0] && isOverLines(other, lines))
    told.set(
      line,
      deeper === undefined ? formProblem(error, lines, file) : tooDeep(deeper, lines, file),
    )
  }
  return [...told.values()]
}

/** Whether a key was read over several lines: the last of them is indented deeper than the key that it stands beside. */
function isOverLines({ code, pos: [from, to] }: YAMLError, lines: LineCounter): boolean {
  return code === 'MULTILINE_IMPLICIT_KEY' && lines.linePos(to).line > lines.linePos(from).line
}

function tooDeep({ pos: [from, to] }: YAMLError, lines: LineCounter, file: string) {
  const { line } = lines.linePos(from)
  const message = `this line is indented deeper than line ${line}, which already has a value`
  const hint = `Indent it like the key on line ${line}, or quote text that spans several lines.`
  return problemAt('YAML_PARSE', placeAt(lines, to, file), message, hint)
}

function formProblem(error: YAMLError, lines: LineCounter, file: string): DocumentProblem {
  const [message, hint] = meaningOf(error)
  return problemAt('YAML_PARSE', placeAt(lines, error.pos[0], file), message, hint)
}

function meaningOf({ code, message }: YAMLError): readonly [string, string?] {
  switch (code) {
    case 'TAB_AS_INDENT':
      return ['this line is indented with a tab', 'Indent with spaces.']
    case 'MULTIPLE_DOCS':
      return ['a second YAML document starts here', 'Put each agent in its own file.']
    case 'NON_STRING_KEY':
      return ['a key is not text', 'A template needs quotes around it: "{{ state.key }}".']
    case 'RESOURCE_EXHAUSTION':
      return ['the file is nested too deeply']
    case 'TAG_RESOLVE_FAILED':
      return [`tags are not supported (${message.replace('Unresolved tag: ', '')})`]
    case 'BLOCK_AS_IMPLICIT_KEY':
      return message.includes('sequence')
        ? ['this "- " is not indented like those above it', 'Indent all items of a list alike.']
        : ['there is a second ": " on this line', 'Quote text that contains a colon.']
    default:
      return message.startsWith('Sequence item without')
        ? [
            'this line is indented less than the keys of its list item',
            'Indent it like the lines above it; a new item starts with "- ".',
          ]
        : [`this is not valid YAML: ${message}`]
  }
}

/** The place of an offset in a text. */
export function placeAt(lines: LineCounter, offset: number, file: string): Place {
  const { line, col } = lines.linePos(offset)
  return { file, line: Math.max(1, line), column: Math.max(1, col) }
}

/** An error at a place. */
export function problemAt(
  code: ProblemCode,
  place: Place,
  message: string,
  hint?: string,
): DocumentProblem {
  const advice = hint === undefined ? {} : { hint }
  return { code, severity: 'error', message, ...advice, path: [], ...place }
}
