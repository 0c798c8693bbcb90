import {
  canonicalJson,
  hashJson,
  isJsonObject,
  type Json,
  type JsonObject,
  sha256,
} from '../../kernel/json.ts'
import { type Check, concluded, Faults } from './check.ts'
import type { BundleContents } from './contents.ts'
import { count, faultIn, shown } from './fault.ts'
import { type BundledEvent, type Manifest, memberNames, messageForm } from './form.ts'
import { LoggedMessages, missingMessage } from './logged-messages.ts'
import { holdsReplacement } from './path-names.ts'
import { hashesIn, notShared } from './source-member.ts'

/** Checks that the inputs and messages in a bundle match their recorded hashes. */
export class InputCheck {
  private readonly faults = new Faults()
  private readonly replaced: readonly string[]
  /** The message hashes that the log references. */
  private readonly named = new Set<string>()
  /** The latest complete message list of each conversation, by the path of its turns. */
  private readonly lists = new Map<string, readonly string[]>()
  private readonly logged = new LoggedMessages()
  /** What the manifest declares as missing. */
  private readonly declared: ReadonlySet<string>
  /** Steps that started in this execution with an input in the log. */
  private begun = new Set<string>()
  /** Number of steps without an input in the log. */
  private bare = 0
  private readonly bareKeys: string[] = []
  private absent = 0
  private inputs = 0
  private changed = 0
  private unknown = 0
  private messages = 0

  constructor({
    replacedPaths,
    texts,
    missing,
  }: Pick<Manifest, 'replacedPaths' | 'texts' | 'missing'>) {
    this.declared = new Set(missing.map(({ what }) => what))
    this.replaced = texts === 'cited' ? [...replacedPaths, notShared] : replacedPaths
  }

  record(event: BundledEvent): void {
    for (const hash of hashesIn(event.output)) this.named.add(hash)
    for (const hash of hashesIn(event.data.input)) this.named.add(hash)
    this.logged.record(event)
    if (event.type === 'run.resumed' || event.type === 'run.forked') this.begun = new Set()
    if (!event.type.startsWith('step.')) return
    const input = event.type === 'step.started' ? event.output : event.data.input
    if (input === undefined) this.recordBare(event)
    else if (event.type === 'step.started') this.begun.add(event.key)
    if (input === undefined) return
    if (holdsReplacement(canonicalJson(input), this.replaced)) this.changed++
    else this.checkInput(event, input)
  }

  /** Checks the messages, after all events. */
  conclude(contents: BundleContents): Check {
    const { messages } = memberNames
    const seen = new Set<string>()
    for (const { hash, text } of contents.lines(messages, messageForm)) {
      if (!this.named.has(hash))
        this.faults.add(faultIn(messages, `the log does not refer to the message ${hash}.`))
      if (seen.has(hash)) this.faults.add(faultIn(messages, `the message ${hash} is there twice.`))
      seen.add(hash)
      if (sha256(text) === hash) this.messages++
      else if (holdsReplacement(text, this.replaced)) this.changed++
      else this.faults.add(faultIn(messages, `the text of message ${hash} has a different hash.`))
    }
    for (const hash of this.logged.keptElsewhere()) {
      if (seen.has(hash)) continue
      if (this.declared.has(missingMessage(hash))) this.absent++
      else
        this.faults.add(
          faultIn(messages, `the message ${hash} is missing, although a model received it.`),
        )
    }
    const isOpen = this.bare > 0 || this.absent > 0
    return concluded('inputs', this.faults, this.detail(), isOpen)
  }

  private detail(): string {
    const { inputs, messages, changed, unknown, absent, bare } = this
    const named = this.bareKeys.map((key) => `"${shown(key)}"`).join(', ')
    const more = bare > this.bareKeys.length ? ' …' : ''
    const parts = [
      `${count(inputs)} inputs and ${count(messages)} messages hashed again`,
      changed === 0 ? '' : `${count(changed)} could not be, because parts of them were replaced`,
      unknown === 0 ? '' : `the log lacks messages of ${count(unknown)}`,
      absent === 0 ? '' : `not checked: ${count(absent)} missing messages`,
      bare === 0
        ? ''
        : `not checked: ${count(bare)} steps without an input in the log, ${named}${more}`,
    ]
    return parts.filter((part) => part !== '').join('; ')
  }

  /** The end of a started step needs no input of its own. */
  private recordBare({ type, key }: BundledEvent): void {
    if (type !== 'step.started' && this.begun.delete(key)) return
    this.bare++
    if (this.bareKeys.length < maxNamedKeys) this.bareKeys.push(key)
  }

  private checkInput(event: BundledEvent, input: Json): void {
    const { inputHash } = event.data
    this.inputs++
    if (hashJson(hashedForm(input)) !== inputHash)
      this.add(event, 'its input does not have the recorded hash.')
    if (!isJsonObject(input) || !isJsonObject(input.messages)) return
    const { added, count: total, chain } = input.messages
    if (Array.isArray(added) && typeof total === 'number')
      this.checkMessages(event, added as readonly string[], total, chain)
  }

  /** Checks the messages of a model call: those added, after those of the turn before. */
  private checkMessages(
    event: BundledEvent,
    added: readonly string[],
    total: number,
    chain: Json | undefined,
  ): void {
    const path = event.key.split('/').slice(0, -2).join('/')
    const before = this.lists.get(path)?.slice(0, Math.max(0, total - added.length)) ?? []
    const list = [...before, ...added]
    const isWhole = list.length === total && sha256(list.join('')) === chain
    if (isWhole) this.lists.set(path, list)
    else if (added.length === total)
      this.add(event, 'its messages are not the ones that were hashed.')
    // A repaired history differs from the list accumulated here.
    else this.unknown++
  }

  private add({ seq, key }: BundledEvent, text: string): void {
    this.faults.add(faultIn(memberNames.log, `event ${count(seq)}, "${shown(key)}": ${text}`))
  }
}

const maxNamedKeys = 5

/** A model's input is hashed without the list of added messages, which the log stores separately. */
function hashedForm(input: Json): Json {
  if (!isJsonObject(input) || !isJsonObject(input.messages)) return input
  const { added: _added, ...messages } = input.messages
  return { ...input, messages } as JsonObject
}
