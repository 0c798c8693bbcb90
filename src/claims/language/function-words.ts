/**
 * English function words, which say nothing about a subject: articles, pronouns, prepositions, conjunctions, auxiliaries, and
 * words that only form questions. Lower case, inflected forms included. Search leaves them out of its index, so that a change of
 * this list changes what a stored library finds.
 */
export const functionWords: ReadonlySet<string> = new Set(
  (
    'a about above after again against all also am an and any are as at be because been before being below ' +
    'between both but by can could did do does doing down during each either etc few for from further had has have having ' +
    'he her here hers herself him himself his how however i if in into is it its itself just let may me might more most ' +
    'much must my myself neither no nor not now of off on once only or other our ours ourselves out over own per same ' +
    'shall she should so some such than that the their theirs them themselves then there these they this those through ' +
    'thus to too under until up upon very via was we were what when where whether which while who whom whose why will with ' +
    'within without would you your yours yourself yourselves'
  ).split(' '),
)
