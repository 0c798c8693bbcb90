/** A parameter's name cut where its words begin: `pageUrl` and `page_url` are `page` and `url`. */
const words = /URLs?(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** Words that make of an address something about addresses: `url_pattern`, `urlCount`. */
const aboutAddresses =
  /^(?:pattern|prefix|suffix|regexp?|filter|glob|template|format|scheme|types?|params?|query|encoded|encoding|length|count|limit|depth|title|text)$/i

/**
 * The name under which a parameter is shown when it takes citations: each whole word `url` or `urls` becomes `citation` or
 * `citations` in the manner of the name. `undefined` for a name of something else (`curl_cmd`, `hurl`, `url_pattern`).
 */
export function citationName(name: string): string | undefined {
  const found = [...name.matchAll(words)]
  if (found.some(([word]) => aboutAddresses.test(word))) return undefined
  let shown = ''
  let end = 0
  for (const { 0: word, index } of found) {
    if (!/^urls?$/i.test(word)) continue
    shown += name.slice(end, index) + inMannerOf(word, index === 0, !/[a-z]/.test(name))
    end = index + word.length
  }
  return end === 0 ? undefined : shown + name.slice(end)
}

function inMannerOf(word: string, isFirst: boolean, isLoud: boolean): string {
  const plain = /s$/i.test(word) ? 'citations' : 'citation'
  if (isLoud) return plain.toUpperCase()
  const isCapital = word === 'Url' || word === 'Urls' || (!isFirst && /^U/.test(word))
  return isCapital ? `C${plain.slice(1)}` : plain
}
