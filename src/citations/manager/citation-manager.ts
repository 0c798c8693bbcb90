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

/** Numbers what a run's messages cite, so that models and tools see numbers in place of addresses. */
export interface CitationManager {
  /** The numbers of the current run, otherwise of the latest run; inside {@link within}, those given there. */
  readonly index: CitationIndex
  /**
   * Installs the manager on a run's hooks. Each run begins with a copy of the manager's initial index, so that a resumed
   * or replayed run has the same numbers. Returns a function that removes it.
   */
  install(hooks: Hooks): () => void
  /** Adapts tools to citation numbers, except those listed in `exceptTools`. @see {@link adaptTool} */
  adaptTools(tools: readonly Tool[]): readonly Tool[]
  /**
   * Runs work with its own numbers: a node's, from the run's state, or a branch's, from a copy. Concurrent work must not
   * share an index, or its numbers would depend on timing; merge the indexes in branch order.
   */
  within<T>(index: CitationIndex, work: () => Promise<T>): Promise<T>
  /** Parses the citations of a text outside messages. Mints no numbers. */
  parse(text: string): CitedText
  /** A message as stored: marks with local numbers. The hooks do this. */
  store(message: Message): Message
  /** A message as a model sees it, with the index's numbers. The hooks do this. */
  forModel(message: Message): Message
  /** The text of a stored message for people, with links. */
  toMarkdown(message: Message): string
  /** Exports the index as text. */
  export(form: IndexForm): string
  /** Summarizes the index in a few lines, for people. */
  summary(): string
}

/** Settings of a citation manager. */
export interface ManagerSettings {
  /** Names of tools that take addresses and whose results stay unchanged, such as tools that read and write code. */
  readonly exceptTools?: readonly string[]
}

/** Above the default, so that users' handlers see the converted message. */
const priority = 150
/** Only the first handler runs in the asynchronous context of the run itself. */
const firstPriority = Number.MAX_SAFE_INTEGER

/** Creates a citation manager over an index, by default an empty one. It does nothing until installed. */
export function createCitationManager(
  index: CitationIndex = new CitationIndex(),
  { exceptTools = [] }: ManagerSettings = {},
): CitationManager {
  return new HookedManager(index, new Set(exceptTools))
}

/** An index and the messages shown under it; a message is always shown in the same form, even after the index has grown. */
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
  /** The numbers of each run, from its asynchronous context: several runs may be active at once. */
  private readonly ofRun = new AsyncLocalStorage<Numbered>()
  /** The numbers of the latest run, for calls from outside a run. */
  private latest: Numbered
  /** The tools by name, to tell calls from prose with citations. */
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

  /** Calls printed as text are read unchanged; the rest is stored when it joins the conversation. */
  private holdsCalls(message: Message): boolean {
    if (this.tools.size === 0 || toolCallsOf(message).length > 0) return false
    const tools = [...this.tools.values()]
    return toolCallsFromText(messageText(message), tools, false).calls.length > 0
  }
}
