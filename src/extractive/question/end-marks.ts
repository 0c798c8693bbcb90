/** The marks and spaces at the end of a text. A long row of them in its middle is looked at once, not from each of its places. */
export const endMarks = /(?<![\s?.!])[\s?.!]+$/
