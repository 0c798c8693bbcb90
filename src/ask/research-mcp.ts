import type { CitedNumbers } from '../citations/numbers/index-entry.ts'
import { adaptTool } from '../citations/tools/adapt-tool.ts'
import type { ImagePart, ToolResultPart } from '../kernel/agent/message.ts'
import type { Tool } from '../kernel/agent/tool.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { DescribedTool, McpAccessNotice, McpOffer } from '../tools/mcp/mcp-access.ts'
import { WebPlaces, webToolNames } from '../tools/web/places.ts'
import type { Unavailable } from '../tools/web/unavailable.ts'
import { markAddresses } from './research-web.ts'
import type { QuestionStage } from './state.ts'
import type { TeamParts } from './team.ts'

/** Names that servers' tools may not have; the same list for all runs, so that a tool has one name. */
const reservedNames = [
  'search_library',
  'list_sources',
  'read_source',
  'quote_source',
  ...webToolNames,
]
/** Maximum size of the recorded tools, in UTF-16 code units of JSON. */
const maxOfferCharacters = 256 * 1024

/** The tools of a run's servers, listed once; nothing if it may use none. */
export async function listMcpTools(
  team: TeamParts,
  { mcp }: QuestionStage,
  context: RunContext,
): Promise<RecordedOffer> {
  if (mcp.length === 0) return noOffer
  const { effect, takesImages = false } = context.services.models.forRole('researcher')
  if (effect === 'pure') {
    const text =
      'The built-in engine does not use MCP servers: choose a language model for that (--model).'
    await context.notice('mcp', 'warning', text)
    return noOffer
  }
  const offer = (await context.step(
    'mcp',
    'read',
    { servers: mcp },
    async ({ signal }) => {
      const access = await openAccess(team)
      const offer = selectUsable(await access.offer(mcp, reservedNames, signal))
      return { ...offer, takesImages } as unknown as Json
    },
    { timeoutMs: offerTimeoutMs },
  )) as unknown as RecordedOffer
  await recordNotices(context, offer.notices)
  return offer
}

/** What servers offer, and whether the researchers' model takes their pictures. */
type RecordedOffer = McpOffer & { readonly takesImages: boolean }

const noOffer: RecordedOffer = { tools: [], unavailable: [], notices: [], takesImages: false }
/** Servers start in parallel, and each is tried twice. */
const offerTimeoutMs = 120_000

function openAccess({ mcp }: TeamParts) {
  if (mcp !== undefined) return mcp()
  throw new ScholiumError(
    'invalid_configuration',
    'This run uses MCP servers, but none are configured.',
    { hint: 'Set the file that defines them under mcp.config in your own configuration file.' },
  )
}

/** The tools that can be given to models: as many as fit, and none whose addresses numbers cannot stand for. */
function selectUsable(offer: McpOffer): McpOffer {
  const notices: McpAccessNotice[] = [...offer.notices]
  let left = maxOfferCharacters
  const tools = offer.tools.filter((tool) => {
    left -= JSON.stringify(tool).length
    const problem = left < 0 ? 'there are too many tools.' : addressProblem(tool)
    if (problem === undefined) return true
    notices.push({ level: 'warning', text: `${tool.name} is left out: ${problem}` })
    return false
  })
  return { ...offer, tools, notices }
}

function addressProblem(tool: DescribedTool): string | undefined {
  try {
    acceptResultNumbers(
      { ...tool, parse: () => ({ ok: false, reason: '' }), execute: async () => null },
      new WebPlaces(),
    )
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Records the servers' notices, each as a fact of the run. */
export async function recordNotices(
  context: RunContext,
  notices: readonly McpAccessNotice[],
): Promise<void> {
  for (const [index, { level, text }] of notices.entries())
    await context.notice(`mcp ${index + 1}`, level, text)
}

/** The tools of servers that this run was offered; loaded then. */
export async function loadMcpTools(
  team: TeamParts,
  { mcpTools }: QuestionStage,
  places: WebPlaces,
  context: RunContext,
): Promise<readonly Tool[]> {
  if (mcpTools.length === 0) return []
  const { createMcpRunTools } = await import('../tools/mcp/run-tools.ts')
  const { library } = team
  const now = () => context.services.clock.now()
  const scope = { access: async () => openAccess(team), library, takenNames: reservedNames, now }
  return createMcpRunTools(mcpTools, scope).map((tool) => acceptResultNumbers(tool, places))
}

/** The tools that may change something and that an operator's rule allows. */
export function allowedWrites({ mcpTools }: QuestionStage): readonly string[] {
  return mcpTools.filter(({ effect }) => effect === 'write').map(({ name }) => name)
}

/** The parts of a result that a model does not see, and what it sees. */
export interface PresentedMcp {
  readonly result: ToolResultPart
  readonly unavailable: readonly Unavailable[]
  readonly notices: readonly McpAccessNotice[]
}

/** Maximum number of addresses in one result that get numbers; the others are left out. */
const maxNumberedAddresses = 100

/**
 * A result in the form in which a model sees it: that of a server's tool with the numbers of results in place of addresses, and
 * pictures as notes. An address in the words of a page or a file that another tool gave gets no number.
 */
export function presentMcpResult(
  places: WebPlaces,
  { mcpTools, mcpImages: takesImages }: QuestionStage,
  result: ToolResultPart,
): PresentedMcp {
  const nothing = { unavailable: [], notices: [] }
  if (mcpTools.length === 0 || !isJsonObject(result.output)) return { result, ...nothing }
  if (!mcpTools.some(({ name }) => isSameTool(name, result.toolName))) return { result, ...nothing }
  const number = numberAddresses(places)
  const { unavailable = [], notices = [], images, ...rest } = result.output
  const isFailed = result.isError === true || rest.error !== undefined
  const output = {
    ...(number(rest) as JsonObject),
    ...(Array.isArray(images)
      ? { images: images.map((image) => describeImage(image, takesImages)) }
      : {}),
  }
  const shown = takesImages && Array.isArray(images) ? selectImages(images) : []
  return {
    result: {
      ...result,
      output,
      ...(isFailed ? { isError: true as const } : {}),
      ...(shown.length === 0 ? {} : { images: shown }),
    },
    unavailable: [
      ...(unavailable as unknown as readonly Unavailable[]),
      ...findUnknownOutcomes(result),
    ],
    notices: notices as unknown as readonly McpAccessNotice[],
  }
}

/** A model knows a tool by a name without dots. */
function isSameTool(name: string, called: string): boolean {
  return name === called || name.replaceAll('.', '_') === called
}

/** A call of which nobody knows what it did. */
function findUnknownOutcomes({
  toolName,
  output,
  isError,
}: ToolResultPart): readonly Unavailable[] {
  const { code, error } = output as JsonObject
  if (isError !== true || code !== 'outcome_unknown') return []
  return [{ source: toolName, reason: 'outcome_unknown', detail: String(error) }]
}

function describeImage(image: Json, takesImages: boolean): string {
  const { mediaType = 'image', sizeBytes = 0 } = image as JsonObject
  const isShown = takesImages && toImagePart(image) !== undefined
  return `${mediaType}, ${sizeBytes} bytes, ${isShown ? 'shown after the results' : 'kept and not shown'}`
}

/** Puts the marks of results in the place of addresses, in all texts of a value. */
function numberAddresses(places: WebPlaces): (value: Json) => Json {
  const most = places.all.length + maxNumberedAddresses
  const change = (value: Json | undefined): Json => {
    if (typeof value === 'string') return markAddresses(value, places, most)
    if (Array.isArray(value)) return value.map(change)
    if (!isJsonObject(value ?? null)) return value ?? null
    const members = Object.entries(value as JsonObject)
    return Object.fromEntries(members.map(([name, member]) => [name, change(member)]))
  }
  return change
}

/** Pictures of one result that a model is shown at most. */
const maxImages = 3
/** What is reserved for a picture whose size is not told at its beginning, in pixels of each side. */
const assumedPixels = 2_048

const mediaTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** The pictures of a server's result that can be shown to a model, the first ones. */
function selectImages(images: readonly Json[]): readonly ImagePart[] {
  return images.flatMap((image) => toImagePart(image) ?? []).slice(0, maxImages)
}

/** A picture as a part of a message; `undefined` for one of a kind that models do not take, or that was left out. */
function toImagePart(image: Json): ImagePart | undefined {
  const { mediaType, data } = image as JsonObject
  const known = mediaTypes.find((one) => one === mediaType)
  if (known === undefined || typeof data !== 'string' || data === '') return undefined
  return { type: 'image', mediaType: known, ...readImageSize(known, data), data }
}

/** @see https://www.w3.org/TR/png-3/#11IHDR */
function readImageSize(
  mediaType: ImagePart['mediaType'],
  data: string,
): Pick<ImagePart, 'width' | 'height'> {
  const head = Buffer.from(data.slice(0, 44), 'base64')
  const isTold = mediaType === 'image/png' && head.length >= 24
  const [width, height] = isTold ? [head.readUInt32BE(16), head.readUInt32BE(20)] : [0, 0]
  const isKnown = width > 0 && height > 0
  return isKnown ? { width, height } : { width: assumedPixels, height: assumedPixels }
}

/** What stands in a tool's texts where it would take citation numbers, and what of results. */
const rewordings: readonly (readonly [RegExp, string])[] = [
  [
    /Instead of URLs: the numbers of the sources, \[3, 4\] for \[!CITE_3!\] and \[!CITE_4!\]\./g,
    'Instead of URLs: the numbers of results, [3, 4] for [result 3: …] and [result 4: …].',
  ],
  [
    /Instead of a URL: the number of the source, 3 for \[!CITE_3!\]\./g,
    'Instead of a URL: the number of a result, 3 for [result 3: …].',
  ],
  [
    /Sources are given by their citation numbers\./g,
    'Addresses are given by the numbers of results.',
  ],
]

/**
 * A tool whose parameters for addresses take the numbers of results: `url` is shown as `result`. A tool without such parameters
 * stays as it is.
 *
 * @throws `invalid_configuration` for a tool that takes addresses in a form that numbers cannot stand for
 */
function acceptResultNumbers(tool: Tool, places: WebPlaces): Tool {
  const adapted = adaptTool(tool, toCitedNumbers(places))
  if (adapted === tool) return tool
  const { properties } = adapted.parameters
  const shown = Object.keys((properties ?? {}) as JsonObject)
  const names = mapParameterNames(
    shown,
    Object.keys((tool.parameters.properties ?? {}) as JsonObject),
  )
  return {
    ...adapted,
    description: rewordCitations(adapted.description),
    parameters: renameProperties(
      JSON.parse(rewordCitations(JSON.stringify(adapted.parameters))),
      names,
    ),
    parse(input) {
      const own = new Map([...names].map(([name, result]) => [result, name]))
      const parsed = adapted.parse(renameKeys(input, own))
      if (parsed.ok) return parsed
      const reason = parsed.reason
        .replaceAll(/\bcitation(s?)\b/g, 'result$1')
        .replaceAll('the number of the source', 'the number of a result')
      return { ok: false, reason: `${reason} ${places.rangeText()}` }
    },
  }
}

function toCitedNumbers(places: WebPlaces): CitedNumbers {
  return {
    get size() {
      return places.all.length
    },
    entry(n) {
      const place = places.all[n - 1]
      return place === undefined ? undefined : { n, url: place.url, title: place.title }
    },
  }
}

function rewordCitations(text: string): string {
  return rewordings.reduce((changed, [wording, other]) => changed.replaceAll(wording, other), text)
}

/** `citation` becomes `result` where that name is free. */
function mapParameterNames(
  shown: readonly string[],
  own: readonly string[],
): ReadonlyMap<string, string> {
  const taken = new Set([...shown, ...own])
  const names = new Map<string, string>()
  for (const name of shown) {
    const result = name.replace(/citation/, 'result').replace(/Citation/, 'Result')
    if (own.includes(name) || taken.has(result)) continue
    taken.add(result)
    names.set(name, result)
  }
  return names
}

function renameProperties(schema: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const { properties, required } = schema
  const nameOf = (name: string) => names.get(name) ?? name
  return {
    ...schema,
    properties: renameKeys(properties, names) as JsonObject,
    ...(Array.isArray(required) ? { required: required.map((name) => nameOf(String(name))) } : {}),
  }
}

function renameKeys(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [names.get(key) ?? key, member]),
  )
}
