/** Maximum members of an archive, including those of nested archives; same as for a folder. */
export const maxMembers = 10_000
/** Maximum unpacked size of a member in bytes, same as for a file. */
export const maxMemberBytes = 100_000_000
/** Maximum unpacked size of an archive in bytes, nested archives included; about ten full files. */
export const maxArchiveBytes = 1_000_000_000
/**
 * Maximum compression ratio of a member. Text and XML reach 5 to 100, spreadsheets of blanks about 200; DEFLATE ends at
 * 1,032, which only bombs approach.
 * @see https://www.zlib.net/zlib_tech.html
 */
export const maxRatio = 250
/** Up to this unpacked size any ratio is accepted: it is too small to do harm. */
export const ratioFreeBytes = 10_000_000
/** Maximum nesting: a zip in a zip. Bombs of a few kilobytes use more levels. */
export const maxDepth = 2
/** Maximum length of a member's name in bytes; file systems have similar limits. */
export const maxNameBytes = 4_096
