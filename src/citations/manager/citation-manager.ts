import { AsyncLocalStorage } from 'node:async_hooks'
import type { Hooks } from '../../kernel/agent/hooks.ts'
import { type Message, messageText, toolCallsOf } from '../../kernel/agent/message.ts'
import type { Tool } from '../../kernel/agent/tool.ts'
import { toolCallsFromText } from '../../kernel/text/tool-calls-from-text.ts'
import type { CitedEntry, CitedText } from '../markup/cited-text.ts'
import { parseCitations } from '../markup/parse-citations.ts'
import { renderMarkdown } from '../markup/render.ts'
import { CitationIndex } from '../numbers/citation-index.ts'
import { exportIndex, type IndexForm, summarizeIndex } from '../numbers/export-index.ts'
import type { CitedNumbers } from '../numbers/index-entry.ts'
import { adaptTool } from '../tools/adapt-tool.ts'
import { mapProse } from './prose.ts'
import { messageForModel, storeMessage } from './stored-message.ts'

/** Numbers what a run's messages cite, so that models and tools see numbers in the place of addresses. */
export interface CitationManager {
  /** The numbers of the run from within which it is asked, else of the run that began last; inside of {@link within}, those given there. */
  readonly index: CitationIndex
  /**
   * Puts the manager on a run's hooks. Each run begins with a copy of the index that the manager was made with, so that a run
   * that is resumed or replayed has the numbers that it had. Returns how to take it off.
   */
  install(hooks: Hooks): () => void
  /** The tools with citation numbers for addresses, but those that it was told to leave. @see {@link adaptTool} */
  adaptTools(tools: readonly Tool[]): readonly Tool[]
  /**
   * Does work with numbers of its own: a node's, from the run's state, or a branch's, from a copy. Two pieces of work that go on
   * at once must not share an index, or its numbers would depend on which is faster; merge them in branch order.
   */
  within<T>(index: CitationIndex, work: () => Promise<T>): Promise<T>
  /** The citations of a text that belongs to no message. Nothing is minted. */
  parse(text: string): CitedText
  /** A message as it is kept: marks with local numbers. The hooks do this. */
  store(message: Message): Message
  /** A message as a model sees it: the index's numbers. The hooks do this. */
  forModel(message: Message): Message
  /** The text of a kept message for people, with links. */
  toMarkdown(message: Message): string
  /** The index as text in a form. */
  export(form: IndexForm): string
  /** The index in a few lines, for people. */
  summary(): string
}

/** What a manager leaves alone. */
export interface ManagerSettings {
  /** Names of tools that take addresses and whose results stay as they are: where code is read and written, for example. */
  readonly exceptTools?: readonly string[]
}

/** Above the default, so that handlers of people see what it made of a message. */
const priority = 150
/** Only a handler that goes first still runs in the asynchronous context of the run itself. */
const firstPriority = Number.MAX_SAFE_INTEGER

/** A manager of citations over an index, or over an empty one. It does nothing until it is installed. */
export function createCitationManager(
  index: CitationIndex = new CitationIndex(),
  { exceptTools = [] }: ManagerSettings = {},
): CitationManager {
  return new HookedManager(index, new Set(exceptTools))
}

/** An index and the messages that were shown under it: each always in the same form, whatever the index took in since. */
class Numbered {
  readonly index: CitationIndex
  readonly shown = new WeakMap<Message, Message>()

  constructor(index: CitationIndex) {
    this.index = index
  }
}

class HookedManager implements CitationManager {
  private readonly given: CitationIndex
  private readonly exceptTools: ReadonlySet<string>
  private readonly inside = new AsyncLocalStorage<Numbered>()
  /** What each run has numbered, known from within it: several runs may go on at once. */
  private readonly ofRun = new AsyncLocalStorage<Numbered>()
  /** That of the run that began last: for who asks from outside. */
  private latest: Numbered
  /** The tools by which calls are told from prose that cites, by their names. */
  private readonly tools = new Map<string, Tool>()

  constructor(given: CitationIndex, exceptTools: ReadonlySet<string>) {
    this.given = given
    this.exceptTools = exceptTools
    this.latest = new Numbered(given)
  }

  get index(): CitationIndex {
    return this.current.index
  }

  install(hooks: Hooks): () => void {
    const store = (message: Message) => this.store(message)
    const storeProse = (message: Message) => (this.holdsCalls(message) ? undefined : store(message))
    const render = (messages: readonly Message[]) => messages.map((one) => this.forModel(one))
    const installed = [
      hooks.on('run:before', () => this.begin(), firstPriority),
      hooks.on('message:create:before', storeProse, priority),
      hooks.on('message:render:before', render, priority),
      hooks.on('message:append:after', store, priority),
    ]
    return () => {
      for (const takeOff of installed) takeOff()
    }
  }

  adaptTools(tools: readonly Tool[]): readonly Tool[] {
    const current = () => this.index
    const numbers: CitedNumbers = {
      get size() {
        return current().size
      },
      entry: (n) => current().entry(n),
    }
    const adapted = tools.map((tool) =>
      this.exceptTools.has(tool.name) ? tool : adaptTool(tool, numbers),
    )
    for (const tool of adapted) this.tools.set(tool.name, tool)
    return adapted
  }

  within<T>(index: CitationIndex, work: () => Promise<T>): Promise<T> {
    return this.inside.run(new Numbered(index), work)
  }

  parse(text: string): CitedText {
    return parseCitations(text, (n) => this.index.entry(n) !== undefined)
  }

  store(message: Message): Message {
    return storeMessage(message, this.index, this.exceptTools)
  }

  forModel(message: Message): Message {
    const { index, shown } = this.current
    const known = shown.get(message)
    if (known !== undefined) return known
    const rendered = messageForModel(message, index, this.exceptTools)
    shown.set(message, rendered)
    return rendered
  }

  toMarkdown(message: Message): string {
    const { citations = [] } = message
    const entries = citations.map((n): CitedEntry => {
      const { url, title } = this.index.entry(n) ?? {}
      if (url === undefined) return { n }
      return { url, ...(title === undefined ? {} : { label: title }) }
    })
    return mapProse(messageText(message), (prose) => renderMarkdown(prose, entries))
  }

  export(form: IndexForm): string {
    return exportIndex(this.index.entries, form)
  }

  summary(): string {
    return summarizeIndex(this.index.entries)
  }

  private get current(): Numbered {
    return this.inside.getStore() ?? this.ofRun.getStore() ?? this.latest
  }

  private begin(): undefined {
    this.latest = new Numbered(this.given.copy())
    this.ofRun.enterWith(this.latest)
  }

  /** Calls that a model prints as text are read as they stand; what is left is stored when it joins the conversation. */
  private holdsCalls(message: Message): boolean {
    if (this.tools.size === 0 || toolCallsOf(message).length > 0) return false
    const tools = [...this.tools.values()]
    return toolCallsFromText(messageText(message), tools, false).calls.length > 0
  }
}
