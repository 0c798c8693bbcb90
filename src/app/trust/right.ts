import { wordToPaste } from '../../kernel/text/shell-word.ts'

/** The kind of a right. */
export type RightKind = keyof typeof words

/** Something that a person allowed a run to do. A resumed run needs it again, since its record alone grants nothing. */
export type Right = {
  readonly kind: RightKind
  /** Its object, such as the variable of a secret; empty for the web, Python, `yolo` and `trust`. */
  readonly value: string
}

interface RightWords {
  /** What is granted, for people. */
  text(value: string): string
  /** How a command grants it; empty where no option does. */
  option(value: string): string
}

const option = (name: string, placeholder: string) => (value: string) =>
  `--${name} ${wordToPaste(value, process.platform) ?? placeholder}`

/** Every right that a record can name. */
const words = {
  web: { text: () => 'the web', option: () => '--web' },
  origin: { text: (value) => `the origin ${value}`, option: option('allow-origin', 'ORIGIN') },
  secret: { text: (value) => `the variable ${value}`, option: option('secret', 'NAME') },
  allow: { text: (value) => `the rule ${value}`, option: option('allow', 'RULE') },
  memory: { text: (value) => `the shared memory ${value}`, option: option('memory', 'NAME') },
  yolo: { text: () => 'permission to act without asking', option: () => '--yolo' },
  trust: { text: () => 'trust in its folder', option: () => '--trust' },
  mcp: { text: (value) => `the MCP server ${value}`, option: () => '--mcp' },
  python: { text: () => 'Python', option: () => '' },
  address: { text: (value) => `models at ${value}`, option: () => '' },
} as const satisfies Readonly<Record<string, RightWords>>

/** Rights in words: `the web and the variable TOKEN`. */
export function rightsText(rights: readonly Right[]): string {
  const texts = rights.map(({ kind, value }) => words[kind].text(value))
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}

/** The options of a command that grant rights: `--web --secret TOKEN`. */
export function grantingOptions(rights: readonly Right[]): string {
  const options = rights.map(({ kind, value }) => words[kind].option(value))
  return [...new Set(options)].filter((text) => text !== '').join(' ')
}
