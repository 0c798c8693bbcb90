import { lemma } from './lemma.ts'

/** Words with the same meaning in a light rewording; the first represents the group. */
const synonymGroups: readonly string[] =
  // what studies do and find
  (
    'show/demonstrate/reveal/exhibit/display find/observe/discover/detect/identify use/utilize/employ examine/investigate/study/explore ' +
    'assess/evaluate/appraise perform/conduct/execute/carry-out measure/quantify ' +
    'aim/goal/objective/purpose method/technique/approach result/outcome investigation/inquiry hypothesis/supposition ' +
    'indicate/signify calculate/compute estimate/approximate enroll/recruit subject/participant ' +
    'we/author/researcher/investigator/they report/describe ' +
    // change and degree
    'increase/rise/raise/elevate/augment/boost/enhance decrease/reduce/decline/diminish/lessen/lower/drop/fall higher/greater lesser/less ' +
    'substantially/considerably/markedly/strongly/greatly/notably substantial/considerable/marked slightly/marginally ' +
    'nearly/almost about/approximately/roughly/around/circa entire/whole enough/sufficient completely/fully/entirely/totally/wholly ' +
    'partially/partly mainly/mostly/primarily/chiefly/predominantly/principally main/principal/chief rapidly/quickly/swiftly ' +
    'fast/quick/rapid speed/velocity ' +
    // frequency and number
    'often/frequently usually/generally/normally/typically rare/uncommon/infrequent rarely/seldom/infrequently common/frequent/prevalent ' +
    'many/numerous several/some/multiple each/every sometimes/occasionally always/invariably various/diverse ' +
    // likelihood
    'maybe/perhaps/possibly/potentially probably/likely/presumably may/might ' +
    // time and order
    'begin/start/commence/initiate end/finish/terminate/conclude before/prior-to earlier/previously/formerly ' +
    'currently/presently/nowadays subsequently/afterwards/later/thereafter during/throughout yearly/annually ' +
    'simultaneously/concurrently initially/originally/at-first finally/eventually/ultimately recent/latest ' +
    // being and having
    'occur/happen/take-place have/possess/own contain/include/comprise/consist-of/encompass remain/stay keep/retain/maintain/preserve ' +
    'necessary/need/require get/obtain/receive/acquire/gain gather/collect locate/situate belong/pertain ' +
    // making and helping
    'build/construct make/produce/create/generate establish/founded choose/select help/aid/assist allow/permit/enable ' +
    'prevent/avert/avoid stop/halt/cease attempt/try reach/achieve/attain provide/supply/furnish send/transmit ' +
    'buy/purchase sell/vend fix/repair/mend modify/alter/change remove/eliminate/extract divide/split/separate ' +
    'combine/merge/unite link/connect influence/affect effect/impact cause/bring-about trigger/provoke ' +
    'inhibit/suppress stimulate/promote develop/evolve participate/take-part deliver/convey explain/clarify/account-for ' +
    'consider/view call/name/term/label think/believe/deem teach/instruct train/coach ' +
    'answer/reply/respond ask/enquire/inquire tell/inform speak/talk say/state/mention note/remark suggest/imply propose/put-forward ' +
    // quality
    'big/large/sizable bigger/larger biggest/largest/greatest small/little/tiny ' +
    'essential/vital/crucial/critical/indispensable key/pivotal/central novel/new identical/same/equal similar/comparable/alike ' +
    'different/distinct/dissimilar wrong/incorrect/erroneous correct/right/accurate hard/difficult easy/simple wide/broad ' +
    'additional/further/extra/added adequate/satisfactory harmful/detrimental/deleterious helpful/beneficial/useful risky/hazardous ' +
    'dangerous/perilous famous/renowned/celebrated rich/wealthy ill/sick contemporary/modern severe/serious ' +
    'fatal/lethal/deadly obvious/evident poorly/not-well unclear/not-clear unknown/not-known insufficient/not-enough ' +
    'unlikely/improbable able/capable worldwide/globally/throughout-world ' +
    // things and people
    'physician/doctor disease/illness/sickness/ailment people/person/individual country/nation child/kid movie/film automobile/car ' +
    'job/occupation home/residence infant/baby newborn/neonate tumor/neoplasm surgery/operation drug/medication/medicine therapy/treatment ' +
    'injury/wound pair/couple area/region part/portion ' +
    'amount/quantity error/mistake problem/difficulty advantage/benefit drawback/disadvantage ' +
    'kind/type/sort feature/characteristic/trait factor/element relationship/relation ' +
    'capacity/ability/capability  ' +
    // small words
    'via/through/by-means-of but/yet because/since while/whereas/whilst upon/on toward/towards among/amongst ' +
    'although/though/even-though near/close-to beside/next-to despite/in-spite-of/notwithstanding vs/versus/compared-to ' +
    'regarding/concerning except/apart-from until/till if/provided-that within/inside'
  ).split(' ')

/** Phrases that count as one word, after the key they are compared by. */
const phraseGroups: readonly string[] = [
  'and: as well as, along with, together with',
  'as-well: as well',
  'to: in order to, so as to',
  'because-of: due to, because of, owing to, on account of, as a result of, as a consequence of',
  'because: due to the fact that, because of the fact that, owing to the fact that, given that',
  'several: a number of',
  'many: a lot of, lots of, a large number of, large numbers of, a great many',
  'most: the majority of, a majority of, most of the',
  'various: a variety of, an array of, different kinds of',
  'compared-to: compared with, compared to, in comparison with, in comparison to, relative to, when compared with, when compared to, as compared with, as compared to',
  'more-than: more than, greater than, higher than, in excess of',
  'less-than: less than, fewer than, lower than, smaller than',
  'at-least: at least, no less than, no fewer than',
  'at-most: at most, no more than, not more than',
  'up-to: up to',
  'instead-of: instead of, rather than, in place of',
  'like: such as',
  'result-in: lead to, leads to, led to, leading to, result in, results in, resulted in, resulting in',
  'link-to: associated with, linked to, linked with, related to, correlated with, tied to',
  'consist-of: consists of, consisted of, consist of, consisting of, made up of, composed of, is comprised of',
  'close-to: close to',
  'next-to: next to',
  'work-together: work together',
  'prior-to: prior to, previous to, ahead of',
  'carry-out: carry out, carries out, carried out, carrying out',
  'take-part: take part, takes part, took part, taken part, taking part',
  'take-place: take place, takes place, took place, taken place, taking place',
  'can: is able to, are able to, has the ability to, have the ability to',
  'could: was able to, were able to, had the ability to',
  'in-spite-of: in spite of',
  'by-means-of: by means of, by way of, with the help of, with the aid of',
  'apart-from: apart from, aside from, with the exception of',
  'account-for: account for, accounts for, accounted for, accounting for',
  'bring-about: bring about, brings about, brought about',
  'throughout-world: throughout the world, around the world, across the world, all over the world, around the globe',
  'even-though: even though, despite the fact that, in spite of the fact that',
  'provided-that: provided that, on condition that',
  'not-well: not well',
  'not-clear: not clear',
  'not-known: not known',
  'not-enough: not enough, not sufficient',
  'during: in the course of, over the course of',
  'regarding: with regard to, with respect to, in regard to, in terms of',
  'currently: at present, at the moment, at the present time',
  'sometimes: at times, from time to time',
  'partially: in part',
  'finally: in the end',
  'subsequently: later on, after that',
  'if: in case, in the event that',
  '%: per cent',
  'percentage-point: percentage point, percentage points, percent point, percent points, per cent points',
  'us: united states, united states of america',
  'uk: united kingdom',
]

/** Phrases that count as one word, the longest first. */
export const phrases: readonly (readonly [phrase: string, key: string])[] = phraseGroups
  .flatMap((group) => {
    const [key = '', list = ''] = group.split(': ')
    return list.split(', ').map((phrase) => [phrase, key] as const)
  })
  .sort(([one], [other]) => other.split(' ').length - one.split(' ').length)

/** The representative of each synonym's group. */
export const synonyms: ReadonlyMap<string, string> = new Map(
  synonymGroups.flatMap((group) => {
    const [first = '', ...others] = group.split('/').map(lemma)
    return others.map((word) => [word, first] as const)
  }),
)
