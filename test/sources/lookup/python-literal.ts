/** Reads the Python literals that recordings of Python programs are kept in: text, numbers, lists, tuples and dictionaries. */
export class PythonLiterals {
  readonly #text: string
  #index: number

  constructor(text: string, index = 0) {
    this.#text = text
    this.#index = index
  }

  /** The value that begins here. A tuple is a list; a dictionary with other keys than text is a list of pairs. */
  read(): unknown {
    this.#skip()
    const mark = this.#text[this.#index]
    if (mark === '{') return this.#dictionary()
    if (mark === '[' || mark === '(') return this.#list(mark === '[' ? ']' : ')')
    if (/^(?:u|r)?['"]/.test(this.#text.slice(this.#index, this.#index + 2))) return this.#texts()
    const word = /^(?:True|False|None|-?[\d.]+(?:[eE][+-]?\d+)?)/.exec(this.#rest(40))?.[0]
    if (word === undefined) throw new Error(`No literal: ${this.#rest(60)}`)
    this.#index += word.length
    return { True: true, False: false, None: null }[word] ?? (word === 'None' ? null : Number(word))
  }

  #rest(length: number): string {
    return this.#text.slice(this.#index, this.#index + length)
  }

  /** Passes space and remarks. */
  #skip(): void {
    const blank = /(?:\s|#[^\n]*)*/y
    blank.lastIndex = this.#index
    this.#index += blank.exec(this.#text)?.[0].length ?? 0
  }

  #takes(mark: string): boolean {
    this.#skip()
    const isThere = this.#text.startsWith(mark, this.#index)
    if (isThere) this.#index += mark.length
    return isThere
  }

  #list(end: string): unknown {
    this.#index += 1
    const values: unknown[] = []
    let isTuple = end === ']'
    while (!this.#takes(end)) {
      values.push(this.read())
      if (this.#takes(',')) isTuple = true
      else if (end === ')' && this.#takes('+')) values.push(String(values.pop()) + this.read())
    }
    return isTuple ? values : values[0]
  }

  #dictionary(): unknown {
    this.#index += 1
    const pairs: [unknown, unknown][] = []
    while (!this.#takes('}')) {
      const key = this.read()
      if (!this.#takes(':')) throw new Error(`No value: ${this.#rest(60)}`)
      pairs.push([key, this.read()])
      this.#takes(',')
    }
    const isPlain = pairs.every(([key]) => typeof key === 'string' || typeof key === 'number')
    return isPlain ? Object.fromEntries(pairs) : pairs
  }

  /** Texts that follow each other, or are joined by `+`, are one. */
  #texts(): string {
    let whole = ''
    do {
      this.#skip()
      whole += this.#one()
      this.#skip()
    } while (/^(?:u|r)?['"]/.test(this.#rest(2)) || this.#takes('+'))
    return whole
  }

  #one(): string {
    const form =
      /(?:u|r)?(?:"""((?:[^\\]|\\[\s\S])*?)"""|'''((?:[^\\]|\\[\s\S])*?)'''|"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)')/y
    form.lastIndex = this.#index
    const found = form.exec(this.#text)
    if (found === null) throw new Error(`No text: ${this.#rest(60)}`)
    this.#index += found[0].length
    return (found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').replace(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|\n|([\s\S]))/gi,
      (_whole, x?: string, u?: string, long?: string, mark?: string) => {
        const code = x ?? u ?? long
        if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
        return mark === undefined ? '' : ({ n: '\n', t: '\t', r: '\r' }[mark] ?? mark)
      },
    )
  }
}
