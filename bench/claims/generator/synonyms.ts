/** Words and phrases that may stand for each other in any sentence; a row is read in every direction. */
const bothWays = `
demonstrated, showed | utilized, used, employed | utilizing, using, employing
approximately, roughly | furthermore, moreover, in addition, additionally | numerous, many
investigated, examined | investigate, examine | evaluated, assessed | evaluate, assess | evaluating, assessing
because of, owing to | therefore, thus, hence | however, nevertheless
individuals, people | attempted to, tried to | obtained from, taken from | comprises, consists of | comprised, consisted of
located in, situated in | start of, beginning of | ended in, finished in
purchased, bought | physicians, doctors | physician, doctor | kinds of, types of
a large number of, many | a variety of, various | resulted in, led to
necessary for, required for | essential for, indispensable for | identical to, the same as | was founded in, was established in
amongst, among | myocardial infarction, heart attack | myocardial infarctions, heart attacks | neoplasms, tumors
is composed of, is made up of | are composed of, are made up of | almost, nearly | primarily, mainly, chiefly
frequently, often | rarely, seldom | throughout the world, worldwide
so as to, in order to | as well as, and also | in spite of, despite
`
const oneWay = `
elevated, increased | associated with, linked to | diminished, reduced | enhanced, increased | markedly, strongly | commenced, began | ceased, stopped
movie, film | motion picture, film | demonstrate, show | demonstrates, shows | prior to, before | whereas, while | kids, children | sufficient, enough | leads to, results in | might, may | upon, on | constitute, make up | constitutes, makes up | possess, have | possesses, has
remains unclear, is not clear | remain unclear, are not clear | poorly understood, not well understood | remains unknown, is not known | remain unknown, are not known
following treatment, after treatment | subsequently, later | in the setting of, in | in the context of, in | exhibited, showed
displayed, showed | revealed that, showed that | reveal that, show that | ascertain, find out | elucidate, clarify | elucidated, clarified
is able to, can | are able to, can | was able to, could | were able to, could | has the ability to, can | occurred in, took place in
participated in, took part in | is known as, is called | are known as, are called | was named, was called | reside in, live in
crucial, critical | pivotal, central | novel, new
determine whether, find out whether | performed, carried out | performed, conducted | conducted, carried out | exerts, has
in comparison with, compared with | compared to, compared with | due to, because of | regarding, about | concerning, about | via, through
a subset of, some | several, a number of
persons, people | inhabitants, residents | begins, starts | began, started | currently, at present | recently, lately | whilst, while
`

/** Words to what may stand for them. */
export const synonyms: ReadonlyMap<string, readonly string[]> = tableOf()

function tableOf(): Map<string, string[]> {
  const table = new Map<string, string[]>()
  const add = (from: string, to: string): void => {
    table.set(from, [...(table.get(from) ?? []), to])
  }
  for (const row of rowsOf(bothWays))
    for (const one of row) for (const other of row) if (one !== other) add(one, other)
  for (const [from = '', to = ''] of rowsOf(oneWay)) add(from, to)
  return table
}

function rowsOf(text: string): string[][] {
  return text
    .split(/[|\n]/)
    .map((row) => row.split(',').map((word) => word.trim()))
    .filter((row) => row.length > 1)
}

/** American and British words. */
export const spellings: readonly (readonly [american: string, british: string])[] =
  `tumor tumour|tumors tumours|color colour|behavior behaviour|behavioral behavioural|hemoglobin haemoglobin|hemorrhage haemorrhage
  anemia anaemia|leukemia leukaemia|pediatric paediatric|estrogen oestrogen|esophageal oesophageal|fetal foetal|fetus foetus|edema oedema
  ischemia ischaemia|ischemic ischaemic|hematopoietic haematopoietic|hyperglycemia hyperglycaemia|hypoglycemia hypoglycaemia|glycemic glycaemic|anesthesia anaesthesia
  center centre|centers centres|fiber fibre|fibers fibres|liter litre|meter metre|meters metres|analyzed analysed|analyze analyse
  randomized randomised|hospitalized hospitalised|characterized characterised|characterize characterise|recognized recognised|organized organised
  localized localised|utilized utilised|hypothesized hypothesised|summarized summarised|minimized minimised|standardized standardised|organization organisation
  localization localisation|hospitalization hospitalisation|polarization polarisation|stabilization stabilisation|immunization immunisation|colonization colonisation
  characterization characterisation|labeled labelled|signaling signalling|modeling modelling|program programme|programs programmes|aging ageing
  favorable favourable|neighborhood neighbourhood|honor honour|labor labour|defense defence|theater theatre|catalog catalogue|traveled travelled|gray grey
  sulfate sulphate|orthopedic orthopaedic|gynecology gynaecology|diarrhea diarrhoea|celiac coeliac|mobilization mobilisation|optimized optimised|stabilized stabilised`
    .split(/[|\n]/)
    .map((pair) => {
      const [american = '', british = ''] = pair.trim().split(' ')
      return [american, british] as const
    })
