import type { SourceText } from './documents.ts'
import { shuffled } from './random.ts'
import { byTable, type NamePools, type Rewrite, replaceOne } from './rewriting.ts'

const gene =
  /(?<![\w(/-])(?=[A-Za-z-]*\d)(?=[a-z]{0,2}[A-Z])[A-Za-z]{1,5}-?\d{1,3}[A-Za-z]?\d?(?![\w/)(]|-\d|,\d|\.\d| ?\()/
const noGene =
  /^(?:CYP450|H\d|P\d|Type|Day|Week|Phase|Grade|Stage|Group|Level|May|June|July|March|April|August)/i
const firstNames =
  'John|James|William|Robert|Michael|David|Richard|Thomas|Charles|George|Paul|Peter|Mark|Nick|Edward|Henry|Frank|Alan|Andrew|Martin|Stephen|Steven|Brian|Kevin|Jack|Joe|Sam|Mary|Anna|Elizabeth|Sarah|Jane|Susan|Margaret|Helen|Laura|Emma|Julia|Kate|Marie|Alexander|Daniel|Christopher|Matthew|Anthony|Patrick|Arthur|Walter|Albert|Louis|Eric|Simon|Philip|Tom|Tim|Jim|Bob|Bill|Ben|Max|Karl|Scott|Ed|Jeff|Gary|Larry|Barry|Roger|Ralph|Howard|Ronald|Donald|Kenneth'
const person = new RegExp(
  `(?<![A-Z]\\w+ )\\b(?:${firstNames}) (?:[A-Z]\\. )?[A-Z][a-z]{2,}(?! [A-Z])(?![\\w-])`,
)
const work = /(?<=(?:^|[ (])[a-z]+,? )"[A-Z][^"]{3,40}"/

const places =
  'France|Germany|Italy|Spain|Sweden|Denmark|Norway|Finland|Japan|China|India|Brazil|Canada|Australia|Kenya|Uganda|Nigeria|Mexico|Egypt|Turkey|Ireland|Scotland|Poland|Portugal|Austria|Belgium|Greece|Iran|Israel|Thailand|Vietnam|Taiwan|Bangladesh|Pakistan|Peru|Chile|Argentina|Malawi|Zambia|England'.split(
    '|',
  )
const cities =
  'London|Paris|Berlin|Boston|Chicago|Toronto|Sydney|Melbourne|Tokyo|Madrid|Vienna|Dublin|Los Angeles|San Francisco|Seattle|Houston|Philadelphia|Atlanta|Detroit|Manchester|Liverpool|Birmingham|Edinburgh|Glasgow|Munich|Hamburg|Rome|Milan'.split(
    '|',
  )
const states =
  'California|Texas|Florida|Ohio|Michigan|Illinois|Georgia|Virginia|Maine|Oregon|Minnesota|Wisconsin|Arizona|Colorado|Missouri|Kansas|Massachusetts|Pennsylvania|Tennessee|Kentucky|North Carolina|Maryland|Louisiana|Iowa|Nevada|Utah'.split(
    '|',
  )
const peoples =
  'American|British|French|German|Italian|Spanish|Canadian|Australian|Japanese|Dutch|Swedish|Irish|Danish'.split(
    '|',
  )
const substances = `aspirin|clopidogrel|warfarin|heparin
  metformin|insulin|glibenclamide
  simvastatin|atorvastatin|pravastatin
  tamoxifen|letrozole|paclitaxel|cisplatin|doxorubicin|imatinib|gefitinib|trastuzumab|rituximab|bevacizumab
  dexamethasone|prednisone|ibuprofen|acetaminophen|methotrexate
  amoxicillin|vancomycin|fluconazole|tenofovir|zidovudine|nevirapine
  morphine|ketamine|propofol|fentanyl|lithium|haloperidol|clozapine|fluoxetine|sertraline
  vitamin D|vitamin C|vitamin E|vitamin A|folate
  calcium|zinc|iron|sodium|potassium|magnesium
  cholesterol|glucose|triglycerides|albumin|creatinine
  estrogen|testosterone|cortisol|leptin|ghrelin|prolactin
  dopamine|serotonin|glutamate|acetylcholine`
const diseases = `breast cancer|lung cancer|prostate cancer|colorectal cancer|ovarian cancer|pancreatic cancer|leukemia|lymphoma|melanoma|glioblastoma
  schizophrenia|depression|epilepsy|autism|dementia
  tuberculosis|malaria|influenza|pneumonia|HIV|hepatitis|measles
  asthma|hypertension|stroke|psoriasis|osteoporosis|diabetes|atherosclerosis|rheumatoid arthritis|multiple sclerosis`
const organs =
  'liver|kidney|lung|brain|pancreas|spleen|thyroid|prostate|stomach|intestine|bladder|retina|hippocampus|amygdala|cerebellum|thymus|colon'.split(
    '|',
  )
const cells =
  'T cells|B cells|NK cells|dendritic cells|mast cells|macrophages|neutrophils|fibroblasts|hepatocytes|neurons|astrocytes|keratinocytes|platelets|adipocytes|osteoclasts|osteoblasts|monocytes|endothelial cells'.split(
    '|',
  )
function families(text: string): string[][] {
  return text.split('\n').map((row) => row.trim().split('|'))
}

/** Each word of a list to all others of it, except those that may name a part of the same thing. */
function exchange(...lists: readonly (readonly string[])[]): Rewrite {
  const table = new Map(
    lists.flatMap((list) =>
      list.map((item): [string, string[]] => [
        item.toLowerCase(),
        list.filter((other) => other !== item && !isRelated(item, other)),
      ]),
    ),
  )
  return byTable(table, /^(?! \(| [A-Z]|-[A-Z]| rate| attack)/, /(?<![A-Z]\w+ )$/)
}

function isRelated(one: string, other: string): boolean {
  const families = [
    /england|ireland|scotland|british|irish/i,
    /brain|hippocampus|amygdala|cerebellum/i,
    /intestine|colon/i,
    /macrophages|monocytes/i,
    /neurons|astrocytes/i,
    /glucose|diabetes/,
  ]
  return families.some((family) => family.test(one) && family.test(other))
}

/** Whether two names begin with the same letters, or are names of people or works. */
function isAkin(one: string, other: string): boolean {
  const letters = (name: string): string => /^[A-Za-z]+/.exec(name)?.[0] ?? ''
  return !/\d/.test(one) || letters(one) === letters(other)
}

/** A name without what may be written in several ways: case, hyphens, quotation marks. */
function bare(name: string): string {
  return name.toLowerCase().replace(/["“”\s.-]/g, '')
}

/** Whether two names have a word of four letters in common. */
function sharesWord(one: string, other: string): boolean {
  const words = one.match(/[A-Za-z]{4,}/g) ?? []
  return /\s/.test(one) && words.some((word) => other.includes(word))
}

/** Whether the text gives both names to one thing: "A20 (TNFAIP3)", "A20/TNFAIP3". */
function areOne({ text }: SourceText, one: string, other: string): boolean {
  return [`${one} (`, `${one}/`, `${one}, also `, `${one} or `].some((start) =>
    text.includes(start + other),
  )
}

function byPool(pattern: RegExp, pool: (pools: NamePools) => readonly string[]): Rewrite {
  return (sentence, { random, source, pools }) =>
    replaceOne(sentence, pattern, random, ({ 0: name }) => {
      if (noGene.test(name)) return undefined
      const own = (source.text.match(new RegExp(pattern, 'gu')) ?? []).filter(
        (other) => !noGene.test(other),
      )
      const fits = (other: string): boolean =>
        bare(other) !== bare(name) &&
        !sentence.includes(other) &&
        !source.title.includes(other.replaceAll('"', '')) &&
        !bare(other).includes(bare(name)) &&
        !bare(name).includes(bare(other)) &&
        !sharesWord(name, other) &&
        !areOne(source, name, other) &&
        !areOne(source, other, name)
      return (
        shuffled(own, random).find(fits) ??
        shuffled(pool(pools), random).find((other) => fits(other) && isAkin(name, other))
      )
    })
}

/** The names that stand in the texts. */
export function namePools(texts: readonly SourceText[]): NamePools {
  const pages = texts.filter(({ set }) => set === 'HotpotQA')
  const all = (pattern: RegExp, from = texts): string[] => [
    ...new Set(from.flatMap(({ text }) => text.match(new RegExp(pattern, 'gu')) ?? [])),
  ]
  return {
    genes: all(gene).filter((name) => !noGene.test(name)),
    people: all(person, pages),
    works: all(work, pages),
    smallWords: new Set(all(/(?<=[a-z,] )[a-z][a-z'-]*/)),
  }
}

/** Rewrites that put another name of the same kind. */
export const nameCorruptions: Readonly<Record<string, Rewrite>> = {
  gene: byPool(gene, ({ genes }) => genes),
  person: byPool(person, ({ people }) => people),
  title: (sentence, material) =>
    material.source.set === 'HotpotQA'
      ? byPool(work, ({ works }) => works)(sentence, material)
      : undefined,
  place: exchange(places, cities, states, peoples),
  'drug or substance': exchange(...families(substances)),
  'disease, organ or cell': exchange(...families(diseases), organs, cells),
}
