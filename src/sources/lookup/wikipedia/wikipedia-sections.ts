/** A part of an article. */
export interface WikipediaSection {
  /** Empty for the introduction. */
  readonly title: string
  /** 1 for the introduction, 2 for a section of the article, 3 for one within it, and so on to 6. */
  readonly level: number
  /** Its own text, without the sections within it. */
  readonly text: string
  /** Where it begins in the text of the article, heading included, and where its own text ends, in UTF-16 code units. */
  readonly start: number
  readonly end: number
}

/** More headings than this are read as text. */
const MAX_SECTIONS = 2_000

/** The sections of an article's plain text with headings as `== Heading ==`; an introduction without text is left out. */
export function articleSections(text: string): readonly WikipediaSection[] {
  const headings = [
    ...text.matchAll(/^(={2,6})[ \t]{0,9}(\S.{0,500}?)[ \t]{0,9}\1[ \t]{0,9}$/gmu),
  ].slice(0, MAX_SECTIONS)
  const starts = [
    { title: '', level: 1, start: 0, textStart: 0 },
    ...headings.map(({ 0: whole, 1: marks = '', 2: title = '', index }) => ({
      title,
      level: marks.length,
      start: index,
      textStart: index + whole.length,
    })),
  ]
  return starts.flatMap(({ title, level, start, textStart }, index) => {
    const end = starts[index + 1]?.start ?? text.length
    const own = text.slice(textStart, end).trim()
    return level === 1 && own === '' ? [] : [{ title, level, text: own, start, end }]
  })
}

/** The first section of this title with all sections within it; titles are compared without regard to case. */
export function sectionWithParts(
  sections: readonly WikipediaSection[],
  title: string,
): readonly WikipediaSection[] {
  const wanted = title.trim().toLowerCase()
  const first = sections.findIndex((section) => section.title.toLowerCase() === wanted)
  const found = sections[first]
  if (found === undefined) return []
  const rest = sections.slice(first + 1)
  const after = rest.findIndex(({ level }) => level <= found.level)
  return [found, ...(after < 0 ? rest : rest.slice(0, after))]
}
