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
  const message = `this line is indented deeper than line ${line}, which has a value already`
  const hint = `Indent it as the key in line ${line}; put a text that goes on over lines into quotes.`
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
      return ['a second document begins here', 'Put each agent into a file of its own.']
    case 'NON_STRING_KEY':
      return ['a key is no text', 'A template needs quotes around it: "{{ state.key }}".']
    case 'RESOURCE_EXHAUSTION':
      return ['the file is nested too deeply']
    case 'TAG_RESOLVE_FAILED':
      return [`tags are not used here (${message.replace('Unresolved tag: ', '')})`]
    case 'BLOCK_AS_IMPLICIT_KEY':
      return message.includes('sequence')
        ? ['this "- " is not indented as those above it', 'Indent all items of a list alike.']
        : ['a second ": " stands in one line', 'Put a text with a colon into quotes.']
    default:
      return message.startsWith('Sequence item without')
        ? [
            'this line is indented less than the keys of its list item',
            'Indent it as the lines above it; a new item begins with "- ".',
          ]
        : [`this is no YAML: ${message}`]
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
