/** Members of one archive, those of archives in it included: as many as files of a folder are listed. */
export const maxMembers = 10_000
/** Bytes that one member may unpack to: as large as a file may be that is no archive. */
export const maxMemberBytes = 100_000_000
/** Bytes that all members of one archive may unpack to, those of archives in it included: about ten full files. */
export const maxArchiveBytes = 1_000_000_000
/**
 * How many times its packed size a member may unpack to. Text and XML reach 5 to 100, spreadsheets of blanks about 200;
 * DEFLATE ends at 1,032, which only bombs come near.
 * @see https://www.zlib.net/zlib_tech.html
 */
export const maxRatio = 250
/** Up to this size a member may have any ratio: it is too small to do harm. */
export const ratioFreeBytes = 10_000_000
/** How deep archives may lie in each other: a zip, and a zip in it. Bombs of a few kilobytes are made of more. */
export const maxDepth = 2
/** The longest name of a member, in bytes: file systems allow about as much for a path. */
export const maxNameBytes = 4_096
