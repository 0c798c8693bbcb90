/**
 * A report with the forms of citations that only some write as those that all do, at the same length: 【1†source】, `[1, p. 5]`,
 * `[1](#ref-1)`, `[[1]](#cite_note-1)`, `<sup>1</sup>` of a number that is listed; and without HTML comments.
 */
export function plainForms(text: string, isListed: (label: string) => boolean): string {
  return withoutComments(text)
    .replace(/【(\d{1,4})(?:[†:][^【】\n]{0,80})?】/g, (all, n: string) => padded(`[${n}]`, all))
    .replace(/\[(\d{1,4}),\s?(?:pp?|ch|sec|fig|§|S)\.?\s?[^[\]\n]{1,30}\]/gi, (all, n: string) =>
      padded(`[${n}]`, all),
    )
    .replace(/\[\[(\d{1,4})\]\](?:\([^()\s]{0,300}\))?/g, (all, n: string) =>
      padded(` [${n}]`, all),
    )
    .replace(/\[(\d{1,4})\]\(#[^()\s]{0,300}\)/g, (all, n: string) => padded(`[${n}]`, all))
    .replace(/<sup>\[?(\d{1,4})\]?<\/sup>/gi, (all, n: string) =>
      isListed(n) ? padded(` [${n}]`, all) : all,
    )
}

function padded(form: string, all: string): string {
  return form.padEnd(all.length)
}

/** The text with spaces for HTML comments, lines kept. */
function withoutComments(text: string): string {
  let kept = ''
  let from = 0
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', at + 4)
    if (end < 0) break
    kept += text.slice(from, at) + text.slice(at, end + 3).replace(/[^\n]/g, ' ')
    from = end + 3
  }
  return kept + text.slice(from)
}
