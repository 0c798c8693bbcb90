/** UTF-16 code units of one file's text that are read at most; a note says so when there is more. */
export const MAX_TEXT_UNITS = 20_000_000
/** UTF-16 code units of the texts of all files that are read at once, some 250,000 pages; the rest is passed over. */
export const MAX_TEXT_UNITS_AT_ONCE = 500_000_000
/** A longer title is cut: none has more characters. */
export const MAX_TITLE_UNITS = 1_000
