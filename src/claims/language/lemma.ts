/**
 * The form shared by the inflections and the British and American spellings of a lower-case English word. A key to compare
 * by, not a word: "activated" and "activates" give "activat". Derived words are different: "activation".
 */
export function lemma(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return irregular.get(word) ?? word
  const base = irregular.get(word) ?? withoutVerbEnding(withoutPlural(word))
  return commonSpelling(withoutFinalE(base))
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:lys|thes)es$/.test(word)) return `${word.slice(0, -2)}is`
  if (/(?:ss|sh|ch|x|zz|[^aeo]us)es$/.test(word)) return word.slice(0, -2)
  return /[sui]s$/.test(word) ? word : word.slice(0, -1)
}

function withoutVerbEnding(word: string): string {
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`
  const stem = word.endsWith('ed')
    ? word.slice(0, -2)
    : word.endsWith('ing')
      ? word.slice(0, -3)
      : ''
  if (stem.length < 3 || !/[aeiouy]/.test(stem)) return word
  if (/[^aeiou]{2}$/.test(stem) && /([bdgmnprt])\1$/.test(stem)) return stem.slice(0, -1)
  return /^[^aeiou][aeiou][^aeiouwxy]$/.test(stem) ? `${stem}e` : stem
}

function withoutFinalE(word: string): string {
  return word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word
}

/** What {@link commonSpelling} changes. */
const variant = /ll$|mm$|[tb]r$|ogu$|enc$|sulph|[iy]s|.our|ae|oe/

function commonSpelling(word: string): string {
  if (word.length < 4 || !variant.test(word)) return word
  const result = word
    .replace(/([aeiou]l)l$/, '$1')
    .replace(/mm$/, 'm')
    .replace(/([tb])r$/, '$1er')
    .replace(/ogu$/, 'og')
    .replace(/enc$/, 'ens')
    .replace('sulph', 'sulf')
  if (result.length < 5) return result
  return result
    .replace(/([iy])s(?=(?:ation|er)?$)/, '$1z')
    .replace(/(?!^)our/, 'or')
    .replace(/ae|oe/, 'e')
}

const forms =
  'be/is/are/was/were/been/being/am/isn/aren/wasn/weren have/has/had/having/hasn/haven/hadn ' +
  'do/does/did/done/doing/didn/doesn/don could/couldn would/wouldn should/shouldn use/used/using/uses ' +
  'find/found show/shown give/gave/given take/took/taken make/made know/knew/known see/saw/seen get/got/gotten ' +
  'go/went/gone come/came become/became begin/began/begun rise/rose/risen fall/fell/fallen grow/grew/grown ' +
  'lead/led lose/lost/loses win/won keep/kept leave/left hold/held meet/met build/built send/sent spend/spent ' +
  'sell/sold buy/bought bring/brought think/thought teach/taught write/wrote/written drive/drove/driven ' +
  'break/broke/broken choose/chose/chosen speak/spoke/spoken say/said pay/paid sink/sank/sunk bind/bound run/ran ' +
  'draw/drew/drawn undergo/underwent/undergone feed/fed die/died/dying lie/lay/lain mouse/mice child/children ' +
  'man/men woman/women foot/feet tooth/teeth datum/data bacterium/bacteria phenomenon/phenomena criterion/criteria ' +
  'aging/ageing judgment/judgement gray/grey tire/tyre skeptic/sceptic skeptical/sceptical mold/mould aluminum/aluminium artifact/artefact ' +
  'plow/plough practice/practise learned/learnt burned/burnt nucleus/nuclei stimulus/stimuli fungus/fungi locus/loci larva/larvae matrix/matrices index/indices'

/** The base of an irregular form ("found" → "find"); contracted verbs ("didn't") have already lost their "'t". */
const irregular: ReadonlyMap<string, string> = new Map(
  forms.split(' ').flatMap((group) => {
    const [base = '', ...others] = group.split('/')
    return others.map((form) => [form, base] as const)
  }),
)
