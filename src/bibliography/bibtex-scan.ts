/** An entry of a BibTeX file with `@string` names expanded; values are still TeX. */
export interface ScannedEntry {
  readonly type: string
  /** Empty if the file gives none. */
  readonly key: string
  readonly fields: ReadonlyMap<string, string>
  /** From 1. */
  readonly line: number
}

/** Something that could not be read. */
export interface Refusal {
  readonly key?: string
  /** Set if only this field is left out and the entry itself was read. */
  readonly field?: string
  readonly reason: string
  /** From 1. */
  readonly line?: number
}

/** Something that may have been misread. */
export interface BibtexNote {
  readonly key?: string
  readonly field?: string
  /** From 1. */
  readonly line?: number
  readonly text: string
}

/** The contents of a BibTeX file. */
export interface ScannedFile {
  readonly entries: readonly ScannedEntry[]
  readonly refused: readonly Refusal[]
  readonly notes: readonly BibtexNote[]
}

/** Maximum length of one value in characters, after `@string` names are expanded. */
const maxValueChars = 100_000

/** A line that begins an entry also ends anything left open above it, so one lost brace costs one entry. */
const entryStart = /^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]/my

/**
 * Parses the entries of a BibTeX file in linear time. An entry that cannot be read is refused with its line, and parsing
 * continues at the next line that begins an entry.
 * @param strings names known without `@string`, in lower case
 * @see https://tug.org/texmf-dist/doc/bibtex/base/btxdoc.pdf
 */
export function scanBibtex(text: string, strings: Readonly<Record<string, string>>): ScannedFile {
  const scan = new BibtexScan(text, strings)
  return scan.file()
}

class Unreadable extends Error {}

class BibtexScan {
  readonly #text: string
  readonly #strings: Map<string, string>
  readonly #entries: ScannedEntry[] = []
  readonly #refused: Refusal[] = []
  readonly #notes: BibtexNote[] = []
  /** Undefined names in the current value. */
  #undefined: string[] = []
  #at = 0
  #line = 1
  #countedTo = 0
  /** Where the last unreadable block begins. */
  #start = 0
  #isCommentOpen = false

  constructor(text: string, strings: Readonly<Record<string, string>>) {
    this.#text = text
    this.#strings = new Map(Object.entries(strings))
  }

  file(): ScannedFile {
    for (;;) {
      const at = this.#text.indexOf('@', this.#at)
      if (at < 0) {
        return { entries: this.#entries, refused: this.#refused, notes: this.#notes }
      }
      this.#at = at + 1
      if (!this.#isCommentedOut(at)) this.#block(at)
    }
  }

  /** BibTeX itself would read an entry after a `%`, but its author meant to disable it. */
  #isCommentedOut(at: number): boolean {
    return /%[ \t%]*$/.test(this.#text.slice(Math.max(0, at - 10), at))
  }

  /** Reads what follows an `@`: an entry, a definition, a comment, or ordinary text. */
  #block(start: number): void {
    const type = this.#match(/\s*([A-Za-z][\w-]*)\s*/y)?.[1]?.toLowerCase()
    if (type === undefined) return
    if (type === 'comment') {
      this.#comment()
      return
    }
    const open = this.#text[this.#at]
    if (open !== '{' && open !== '(') return
    this.#at += 1
    const line = this.#lineAt(start)
    const found = { key: '' }
    try {
      if (type === 'preamble') this.#value()
      else if (type === 'string') this.#definition(line)
      else this.#entry(type, open, line, found)
    } catch (thrown) {
      if (!(thrown instanceof Unreadable)) throw thrown
      const key = found.key === '' ? {} : { key: found.key.slice(0, 200) }
      this.#refused.push({ ...key, reason: thrown.message, line })
      this.#start = start
      this.#at = this.#nextEntry(Math.max(this.#at, start + 1))
    }
  }

  #entry(type: string, open: string, line: number, found: { key: string }): void {
    this.#match(/\s*/y)
    found.key = (this.#match(/[^,{}"=@\n]*(?=[,}\n])/y)?.[0] ?? '').trim()
    const fields = new Map<string, string>()
    for (;;) {
      this.#match(/(?:[\s,]+|%[^\n]*)*/y)
      if (this.#at >= this.#text.length) throw new Unreadable('the entry is not closed')
      const sign = this.#text[this.#at]
      if (sign === (open === '{' ? '}' : ')')) break
      const name = this.#match(/([^\s=,{}()"#%@]+)\s*=\s*/y)?.[1]?.toLowerCase()
      if (name === undefined) {
        throw new Unreadable(sign === '@' ? 'the entry is not closed' : this.#unexpected())
      }
      const value = this.#value()
      this.#noteUndefined({ ...(found.key === '' ? {} : { key: found.key }), field: name, line })
      if (typeof value === 'string') {
        if (!fields.has(name)) fields.set(name, value)
      } else this.#refused.push({ key: found.key, field: name, reason: value.reason, line })
    }
    this.#at += 1
    this.#entries.push({ type, key: found.key, fields, line })
  }

  #definition(line: number): void {
    const name = this.#match(/\s*([^\s=,{}()"#%]+)\s*=\s*/y)?.[1]?.toLowerCase()
    if (name === undefined) throw new Unreadable(this.#unexpected())
    const value = this.#value()
    this.#noteUndefined({ line })
    if (typeof value !== 'string') throw new Unreadable(value.reason)
    this.#strings.set(name, value)
  }

  /** BibTeX leaves undefined names out with a warning. Here they are kept as text and noted. */
  #noteUndefined(place: Omit<BibtexNote, 'text'>): void {
    for (const name of this.#undefined) {
      const text = `the name "${name.slice(0, 60)}" is not defined and was kept unchanged`
      this.#notes.push({ ...place, text })
    }
    this.#undefined = []
  }

  /** Parts joined by `#`, or a reason if they can be skipped but not understood. */
  #value(): string | { readonly reason: string } {
    const parts: string[] = []
    let reason: string | undefined
    let chars = 0
    do {
      this.#space()
      const part = this.#part()
      if (chars + part.length > maxValueChars) {
        reason ??= `the value has more than ${maxValueChars} characters`
      } else {
        parts.push(part)
        chars += part.length
      }
      this.#space()
    } while (this.#match(/#/y) !== undefined)
    return reason === undefined ? parts.join('') : { reason }
  }

  #part(): string {
    const sign = this.#text[this.#at]
    if (sign === '{' || sign === '"') return this.#delimited(sign)
    const word = this.#match(/[^\s,{}()"#%=@]+/y)?.[0]
    if (word === undefined) throw new Unreadable(this.#unexpected())
    if (/^-?\d+$/.test(word)) return word
    const value = this.#strings.get(word.toLowerCase())
    if (value === undefined) this.#undefined.push(word)
    return value ?? word
  }

  /** Up to the closing brace or quotation mark, with balanced braces. */
  #delimited(open: string): string {
    const start = this.#at + 1
    const signs = /[{}"\\\n]/g
    signs.lastIndex = start
    let depth = 0
    for (let match = signs.exec(this.#text); match !== null; match = signs.exec(this.#text)) {
      const [sign] = match
      if (sign === '\\') signs.lastIndex += this.#isEscape(match.index) ? 1 : 0
      else if (sign === '\n') {
        if (this.#startsEntry(match.index + 1)) break
      } else if (depth === 0 && sign === (open === '{' ? '}' : '"')) {
        this.#at = match.index + 1
        return this.#text.slice(start, match.index)
      } else if (sign === '{') depth += 1
      else if (sign === '}') depth -= 1
    }
    throw new Unreadable(`a ${open === '{' ? 'brace' : 'quotation mark'} is not closed`)
  }

  /** A backslash escapes a brace, as in biber; BibTeX itself counts every brace. */
  #isEscape(at: number): boolean {
    const next = this.#text[at + 1]
    return next === '{' || next === '}' || next === '\\'
  }

  /** Skips a comment: in braces with its contents, otherwise to the end of the line. */
  #comment(): void {
    const end = this.#text[this.#at] === '{' && !this.#isCommentOpen ? this.#closing() : undefined
    if (end === undefined) this.#match(/[^\n]*/y)
    else this.#at = end
  }

  #closing(): number | undefined {
    const signs = /[{}]/g
    signs.lastIndex = this.#at
    let depth = 0
    for (let match = signs.exec(this.#text); match !== null; match = signs.exec(this.#text)) {
      depth += match[0] === '{' ? 1 : -1
      if (depth === 0) return match.index + 1
    }
    // Nothing below closes it either, so the search is not repeated.
    this.#isCommentOpen = true
    return undefined
  }

  #startsEntry(at: number): boolean {
    entryStart.lastIndex = at
    return entryStart.test(this.#text)
  }

  /** The next line that begins an entry, at or after `from`. */
  #nextEntry(from: number): number {
    const line = this.#text.lastIndexOf('\n', from - 1)
    const first = line < this.#start ? this.#text.indexOf('\n', from) : line
    for (let at = first; at >= 0; at = this.#text.indexOf('\n', at + 1)) {
      if (this.#startsEntry(at + 1)) return at + 1
    }
    return this.#text.length
  }

  #unexpected(): string {
    const found = this.#text.slice(this.#at, this.#at + 20).split('\n')[0] ?? ''
    const what = found === '' ? 'a line ends' : `"${found}" stands`
    return `${what} in line ${this.#lineAt(this.#at)} where a field was expected`
  }

  /** Skips space and comments. Comments are not part of BibTeX, but many files have them. Nothing is scanned twice. */
  #space(): void {
    this.#match(/(?:\s+|%[^\n]*)*/y)
  }

  #match(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at
    const match = form.exec(this.#text)
    if (match === null) return undefined
    this.#at += match[0].length
    return match
  }

  /** Counts lines onwards from the last position asked for. */
  #lineAt(at: number): number {
    if (at < this.#countedTo) {
      this.#line = 1
      this.#countedTo = 0
    }
    for (let i = this.#text.indexOf('\n', this.#countedTo); i >= 0 && i < at; ) {
      this.#line += 1
      this.#countedTo = i + 1
      i = this.#text.indexOf('\n', i + 1)
    }
    return this.#line
  }
}
