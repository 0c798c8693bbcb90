import { Drawing, type PathEnd, type PdfFont, type PdfGlyph } from './drawing.ts'
import { type Box, identity, type Matrix, type PageDrawing } from './page-drawing.ts'

/** A page's operators in order, each with its arguments. */
export interface OperatorList {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly unknown[]
}

/** A picture unpacked by pdf.js. */
export interface PdfPicture {
  readonly kind: number
  readonly data: Uint8Array
}

/** What is needed to interpret a page's operators. */
export interface DrawingContext {
  /** The operators of pdf.js by name. */
  readonly operators: Readonly<Record<string, number>>
  readonly fontOf: (id: string) => PdfFont
  /** An unpacked picture; `null` if it could not be unpacked. */
  readonly pictureOf: (id: string) => PdfPicture | null
  /** Whether a layer, or a condition on layers, is visible. */
  readonly isLayerOn: (layer: unknown) => boolean
  /** The visible area: left, bottom, right, top. */
  readonly view: readonly number[]
  /** Points per unit of its coordinates. */
  readonly userUnit: number
}

/**
 * Interprets a page's operators. pdf.js may leave pictures out to save unpacking them; then a scaled scope that draws
 * nothing counts as one.
 */
export function readDrawing(
  { fnArray, argsArray }: OperatorList,
  { operators, fontOf, pictureOf, isLayerOn, view, userUnit }: DrawingContext,
): PageDrawing {
  const box = toBox(view)
  const drawing = new Drawing(box, fontOf)
  const steps = byOperator(operators, pathSteps)
  const pathEnds = byOperator(operators, endOfOperator)
  for (let index = 0; index < fnArray.length; index++) {
    const operator = fnArray[index] as number
    const args = (argsArray[index] ?? []) as readonly unknown[]
    if (operator === operators.constructPath) {
      const [end, [path], bounds] = args as unknown as PathArgs
      drawPath(drawing, path, bounds, pathEnds.get(end) ?? notDrawn)
    } else if (operator === operators.paintImageXObject)
      drawing.addPicture(isOpaque(pictureOf(args[0] as string)))
    else if (operator === operators.paintInlineImageXObject)
      drawing.addPicture(isOpaque(args[0] as PdfPicture))
    else if (operator === operators.beginMarkedContentProps)
      drawing.openLayer(args[0] !== 'OC' || isLayerOn(args[1]))
    else steps.get(operator)?.(drawing, args as never)
  }
  drawing.endFrame()
  return { box, unitPoints: userUnit, drawn: drawing.drawn }
}

function byOperator<Value>(
  operators: Readonly<Record<string, number>>,
  values: Readonly<Record<string, Value>>,
): ReadonlyMap<number, Value> {
  return new Map(Object.entries(values).map(([name, value]) => [operators[name] as number, value]))
}

/** The operator that ends a path, its segments, and their bounding box. */
type PathArgs = [end: number, path: [ArrayLike<number> | null], bounds: readonly number[] | null]

function drawPath(
  drawing: Drawing,
  path: ArrayLike<number> | null,
  bounds: readonly number[] | null,
  end: PathEnd,
): void {
  if (path !== null && bounds !== null) {
    drawing.addPath(path, toBox(bounds), end)
    if (drawing.isClipping) drawing.clipTo(toBox(bounds))
  }
  drawing.isClipping = false
}

/** Operators by name; others draw nothing, or only lines. */
const pathSteps: Readonly<Record<string, (drawing: Drawing, args: never) => void>> = {
  save: (drawing) => drawing.openFrame(),
  restore: (drawing) => drawing.closeFrame(),
  transform: (drawing, matrix: Matrix) => drawing.transform(matrix),
  paintFormXObjectBegin(drawing, [matrix, bounds]: [Matrix | null, readonly number[] | null]) {
    drawing.openFrame()
    if (matrix !== null) drawing.transform(matrix)
    if (bounds !== null) drawing.clipTo(toBox(bounds))
  },
  paintFormXObjectEnd: (drawing) => drawing.closeFrame(),
  beginGroup: (drawing, [{ smask }]: [{ smask?: unknown }]) => drawing.openGroup(smask != null),
  endGroup: (drawing) => drawing.closeFrame(),
  setGState: (drawing, [entries]: [readonly (readonly [string, unknown])[]]) => {
    for (const [name, value] of entries) setGraphics(drawing, name, value)
  },
  setLineWidth: ({ state }, [width]: [number]) => put(state, { lineWidth: width }),
  setFillRGBColor: (drawing, [color]: [string]) =>
    put(drawing.state, { fill: drawing.color(color) }),
  setStrokeRGBColor: (drawing, [color]: [string]) =>
    put(drawing.state, { stroke: drawing.color(color) }),
  setFillColorN: ({ state }) => put(state, { fill: undefined }),
  setStrokeColorN: ({ state }) => put(state, { stroke: undefined }),
  setFillTransparent: ({ state }) => put(state, { fill: undefined }),
  setStrokeTransparent: ({ state }) => put(state, { stroke: undefined }),
  beginMarkedContent: (drawing) => drawing.openLayer(true),
  endMarkedContent: (drawing) => drawing.closeLayer(),
  clip: (drawing) => put(drawing, { isClipping: true }),
  eoClip: (drawing) => put(drawing, { isClipping: true }),
  shadingFill: (drawing) => drawing.addShading(),
  beginText: (drawing) => drawing.placeText(identity),
  setFont: ({ state }, [fontId, fontSize]: [string, number]) => put(state, { fontId, fontSize }),
  setTextRenderingMode: ({ state }, [mode]: [number]) => put(state, { mode }),
  setCharSpacing: ({ state }, [charSpacing]: [number]) => put(state, { charSpacing }),
  setWordSpacing: ({ state }, [wordSpacing]: [number]) => put(state, { wordSpacing }),
  setHScale: ({ state }, [percent]: [number]) => put(state, { stretch: percent / 100 }),
  setLeading: ({ state }, [leading]: [number]) => put(state, { leading }),
  setTextRise: ({ state }, [rise]: [number]) => put(state, { rise }),
  moveText: (drawing, [x, y]: [number, number]) => drawing.moveLine(x, y),
  setLeadingMoveText(drawing, [x, y]: [number, number]) {
    drawing.state.leading = -y
    drawing.moveLine(x, y)
  },
  nextLine: (drawing) => drawing.moveLine(0, -drawing.state.leading),
  setTextMatrix: (drawing, [matrix]: [Matrix]) => drawing.placeText(matrix),
  showText: (drawing, [shown]: [readonly (PdfGlyph | number)[]]) => drawing.showText(shown),
  paintSolidColorImageMask: (drawing) => drawing.addPicture(true),
  paintImageMaskXObject: (drawing) => drawing.addPicture(false),
}

function put<Of extends object>(where: Of, what: Partial<Of>): void {
  Object.assign(where, what)
}

/** Whether a picture is opaque: with an alpha channel, all pixels must be. */
function isOpaque(picture: PdfPicture | null): boolean {
  if (picture === null) return false
  const { kind, data } = picture
  if (kind !== rgba) return true
  for (let at = 3; at < data.length; at += 4)
    if ((data[at] as number) < minCoveringByte) return false
  return true
}

/** pdf.js's constant for pictures with four bytes per pixel. */
const rgba = 3
const minCoveringByte = 242

const notDrawn: PathEnd = { fills: false, strokes: false, isEvenOdd: false }
/** How the operators that end a path draw it. */
const endOfOperator: Readonly<Record<string, PathEnd>> = {
  fill: { fills: true, strokes: false, isEvenOdd: false },
  eoFill: { fills: true, strokes: false, isEvenOdd: true },
  stroke: { fills: false, strokes: true, isEvenOdd: false },
  closeStroke: { fills: false, strokes: true, isEvenOdd: false },
  fillStroke: { fills: true, strokes: true, isEvenOdd: false },
  eoFillStroke: { fills: true, strokes: true, isEvenOdd: true },
  closeFillStroke: { fills: true, strokes: true, isEvenOdd: false },
  closeEOFillStroke: { fills: true, strokes: true, isEvenOdd: true },
}

function setGraphics({ state }: Drawing, name: string, value: unknown): void {
  if (name === 'ca') state.fillOpacity = value as number
  else if (name === 'CA') state.strokeOpacity = value as number
  else if (name === 'LW') state.lineWidth = value as number
  else if (name === 'BM') state.isBlended = value !== 'source-over'
  else if (name === 'SMask') state.isMasked = value !== false && value !== null
  else if (name === 'Font') [state.fontId, state.fontSize] = value as [string, number]
}

function toBox([left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): Box {
  return { left, bottom, right, top }
}
