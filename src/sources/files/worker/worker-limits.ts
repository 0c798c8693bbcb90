import { availableParallelism } from 'node:os'

/** Files are read by this many processes at once at most: one for each core, and no more than four. */
export const maxProcesses = Math.min(4, availableParallelism())
/** A process's heap, and as much again for what lies outside it: the file and what is unpacked of it. */
export const heapMb = 768
/** A third of the part of a process's heap for what is new: with 8 MB reading papers takes a twentieth more processor time, with more no less. */
export const semiSpaceMb = 16
/** The memory that a process may take in all: Node and a reader's libraries take some 100 MB of it. */
export const maxResidentMb = 2 * heapMb + 128
/** A process that holds more than this after a file is ended, so that the next file has all that it may take. */
export const keptResidentMb = 512
/** After this time without a file a process is ended, and gives back its memory, some 100 MB. Another starts in 0.2 s as a rule. */
export const idleMs = 5_000
/** A process that was busy for so long is ended after its file: the processor time that the system lets it have is counted in all. */
export const maxBusyMs = 60_000
/** Time that a process may take to start and to load a reader's libraries, which is no fault of the file: 0.2 s as a rule. */
export const maxStartMs = 30_000
/** The most time that a reader can ask for: a workbook of 100 MB. */
export const maxFileMs = 200_000
/** How often a busy process's memory is looked at. */
export const memoryCheckIntervalMs = 100
/** What a process may say of a document but for its text: a million headings. */
export const maxHeadBytes = 64_000_000
/** A document's text in UTF-8: readers stop at 20 million characters, after the page or chapter in which they reach them. */
export const maxTextBytes = 100_000_000
