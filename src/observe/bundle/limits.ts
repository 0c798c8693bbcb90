/** Maximum bytes of a JSON member or of one NDJSON line, which is held in memory. */
export const maxTextBytes = 128 * 1024 * 1024

/** Maximum number of faults that a check lists; the others are only counted. */
export const maxNamedFaults = 20

/** Claims of a longer answer are not judged again. In UTF-16 code units. */
export const maxAnswerLength = 4_000_000

/** Maximum length of a passage that a run reads, in UTF-16 code units. */
export const maxPassageLength = 50_000

/** Maximum amount of text compared with claims, where each claim counts all passages it cites. In UTF-16 code units. */
export const maxComparedLength = 60_000_000

/** Maximum number of claims times the passages and numbers among which they are looked up. */
export const maxLookups = 1_000_000_000
