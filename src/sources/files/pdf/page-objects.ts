import { type Box, boxAround, identity, type Matrix, multiply, overlap } from './geometry.ts'
import { type Pdfium, readUtf16, scratchBytes } from './pdfium.ts'

/** Red, green, blue and opacity, each 0 to 255. */
export type Paint = readonly [red: number, green: number, blue: number, opacity: number]

/** How a text object is painted. */
export interface TextPaint {
  /** Its address in PDFium. */
  readonly object: number
  /** Its position in the drawing order. */
  readonly order: number
  /** Text rendering mode, 0 to 7. @see ISO 32000-1, 9.3.6 */
  readonly mode: number
  readonly fill: Paint
  readonly stroke: Paint
  /** Nothing outside it is visible. */
  readonly clip: Box
  readonly box: Box
  /** Whether it may be in a layer: directly, or through a form. */
  readonly isLayered: boolean
}

/** An area that may hide text or be its background: a shape, a wide stroke, a picture, a gradient. */
export interface Area {
  readonly object: number
  readonly order: number
  /** Its bounding box. */
  readonly box: Box
  /** `undefined` if it is not uniform. */
  readonly paint: Paint | undefined
  readonly isPicture: boolean
}

/** What a page draws, in the coordinates of the page. */
export interface PageObjects {
  /** The text objects by address. */
  readonly texts: ReadonlyMap<number, TextPaint>
  /** In drawing order. */
  readonly areas: readonly Area[]
  /** The addresses of all objects but text and forms. */
  readonly shapes: readonly number[]
}

/** PDFium's object types. */
const textType = 1
const pathType = 2
const imageType = 3
const shadingType = 4
const formType = 5

/** Thinner areas, in points, are lines and dots: neither background nor cover. */
const minAreaPoints = 1.5
/** Strokes at least this wide, in points, have room for text. */
const minStrokePoints = 4
const maxFormDepth = 24
/** Text rendering modes that stroke. @see ISO 32000-1, 9.3.6 */
const strokingModes: ReadonlySet<number> = new Set([1, 2, 5, 6])
const unpainted: Paint = [0, 0, 0, 0]
const nowhere: Box = { left: 0, bottom: 0, right: 0, top: 0 }
const everywhere: Box = { left: -1e9, bottom: -1e9, right: 1e9, top: 1e9 }

/** What is known of an object from the forms around it. */
interface Surroundings {
  readonly matrix: Matrix
  readonly clip: Box
  readonly opacity: number
  readonly isLayered: boolean
  readonly depth: number
}

interface LastClip {
  readonly around: Surroundings
  readonly count: number
  readonly segment: number
  readonly box: Box
}

/** Collects what a page draws, and removes replacement texts, which nobody sees, from its text. */
export function readPageObjects(pdfium: Pdfium, page: number, view: Box): PageObjects {
  const walk = new PageWalk(pdfium)
  const count = pdfium.call.FPDFPage_CountObjects(page)
  const around = { matrix: identity, clip: view, opacity: 255, isLayered: false, depth: 0 }
  for (let index = 0; index < count; index++)
    walk.visit(pdfium.call.FPDFPage_GetObject(page, index), around)
  return walk
}

class PageWalk implements PageObjects {
  readonly texts = new Map<number, TextPaint>()
  readonly areas: Area[] = []
  readonly shapes: number[] = []
  private readonly pdfium: Pdfium
  private order = 0
  /** Objects drawn in a row share their clip, and so its first segment. */
  private lastClip: LastClip | undefined

  constructor(pdfium: Pdfium) {
    this.pdfium = pdfium
  }

  visit(object: number, around: Surroundings): void {
    const { call } = this.pdfium
    const type = call.FPDFPageObj_GetType(object)
    this.order++
    if (type !== textType && type !== formType) this.shapes.push(object)
    if (type === textType) this.addText(object, around)
    else if (type === pathType) this.addPath(object, around)
    else if (type === imageType || type === shadingType)
      this.addArea(object, around, undefined, type === imageType)
    else if (type === formType && around.depth < maxFormDepth) {
      const matrix = multiply(around.matrix, this.matrixOf(object))
      const clip = this.clipOf(object, around)
      const opacity = Math.min(around.opacity, this.paintOf(object, 'Fill')[3])
      const inside = { matrix, clip, opacity, isLayered: true, depth: around.depth + 1 }
      const count = call.FPDFFormObj_CountObjects(object)
      for (let index = 0; index < count; index++)
        this.visit(call.FPDFFormObj_GetObject(object, index), inside)
    }
  }

  private addText(object: number, around: Surroundings): void {
    const { opacity, isLayered } = around
    const isMarkedLayer = this.readMarks(object)
    const faded = ([red, green, blue, own]: Paint): Paint => [
      red,
      green,
      blue,
      Math.min(own, opacity),
    ]
    const mode = this.pdfium.call.FPDFTextObj_GetTextRenderMode(object)
    this.texts.set(object, {
      object,
      order: this.order,
      mode,
      fill: faded(this.paintOf(object, 'Fill')),
      stroke: strokingModes.has(mode) ? faded(this.paintOf(object, 'Stroke')) : unpainted,
      clip: this.clipOf(object, around),
      box: this.boxOf(object, around),
      isLayered: isLayered || isMarkedLayer,
    })
  }

  private addPath(object: number, around: Surroundings): void {
    const { call, scratch, view } = this.pdfium
    call.FPDFPath_GetDrawMode(object, scratch, scratch + 4)
    const fills = view().getInt32(scratch, true) !== 0
    const strokes = view().getInt32(scratch + 4, true) !== 0
    if (fills) this.addArea(object, around, this.paintOf(object, 'Fill'), false)
    else if (strokes && this.strokePoints(object, around) >= minStrokePoints)
      this.addArea(object, around, this.paintOf(object, 'Stroke'), false)
  }

  private strokePoints(object: number, around: Surroundings): number {
    const { call, scratch, view } = this.pdfium
    const [a, b, c, d] = multiply(around.matrix, this.matrixOf(object))
    call.FPDFPageObj_GetStrokeWidth(object, scratch)
    return view().getFloat32(scratch, true) * Math.sqrt(Math.abs(a * d - b * c))
  }

  private addArea(
    object: number,
    around: Surroundings,
    paint: Paint | undefined,
    isPicture: boolean,
  ): void {
    const box = overlap(this.boxOf(object, around), this.clipOf(object, around))
    if (box.right - box.left < minAreaPoints || box.top - box.bottom < minAreaPoints) return
    this.areas.push({ object, order: this.order, box, paint, isPicture })
  }

  private boxOf(object: number, { matrix }: Surroundings): Box {
    const { call, scratch, view } = this.pdfium
    if (!call.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12))
      return nowhere
    const memory = view()
    const box = {
      left: memory.getFloat32(scratch, true),
      bottom: memory.getFloat32(scratch + 4, true),
      right: memory.getFloat32(scratch + 8, true),
      top: memory.getFloat32(scratch + 12, true),
    }
    return matrix === identity ? box : boxAround(matrix, box)
  }

  private paintOf(object: number, kind: 'Fill' | 'Stroke'): Paint {
    const { call, scratch, view } = this.pdfium
    const read = kind === 'Fill' ? call.FPDFPageObj_GetFillColor : call.FPDFPageObj_GetStrokeColor
    if (!read(object, scratch, scratch + 4, scratch + 8, scratch + 12)) return [0, 0, 0, 255]
    const memory = view()
    const at = (offset: number) => memory.getUint32(scratch + offset, true)
    return [at(0), at(4), at(8), at(12)]
  }

  private matrixOf(object: number): Matrix {
    const { call, scratch, view } = this.pdfium
    if (!call.FPDFPageObj_GetMatrix(object, scratch)) return identity
    return readMatrix(view(), scratch)
  }

  /** The bounding box of an object's clip and those around it, in the coordinates of the page. */
  private clipOf(object: number, around: Surroundings): Box {
    const { call } = this.pdfium
    const clip = call.FPDFPageObj_GetClipPath(object)
    const count = Math.max(0, call.FPDFClipPath_CountPaths(clip))
    const segment = count === 0 ? 0 : call.FPDFClipPath_GetPathSegment(clip, count - 1, 0)
    const last = this.lastClip
    const isKnown = last?.around === around && last.count === count && last.segment === segment
    if (isKnown && (segment !== 0 || count === 0)) return last.box
    let own = everywhere
    for (let path = 0; path < count; path++) own = overlap(own, this.clipPathBox(clip, path))
    const box = overlap(around.clip, boxAround(around.matrix, own))
    this.lastClip = { around, count, segment, box }
    return box
  }

  private clipPathBox(clip: number, path: number): Box {
    const { call, scratch, view } = this.pdfium
    const count = call.FPDFClipPath_CountPathSegments(clip, path)
    let [left, bottom, right, top] = [1e9, 1e9, -1e9, -1e9]
    for (let index = 0; index < count; index++) {
      const segment = call.FPDFClipPath_GetPathSegment(clip, path, index)
      call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)
      const x = view().getFloat32(scratch, true)
      const y = view().getFloat32(scratch + 4, true)
      left = Math.min(left, x)
      right = Math.max(right, x)
      bottom = Math.min(bottom, y)
      top = Math.max(top, y)
    }
    return { left, bottom, right, top }
  }

  /** Whether an object is marked as part of a layer. Removes marks with a replacement text. */
  private readMarks(object: number): boolean {
    const { call } = this.pdfium
    let isLayered = false
    for (let index = call.FPDFPageObj_CountMarks(object) - 1; index >= 0; index--) {
      const mark = call.FPDFPageObj_GetMark(object, index)
      if (this.markName(mark) === 'OC') isLayered = true
      if (this.hasReplacement(mark)) call.FPDFPageObj_RemoveMark(object, mark)
    }
    return isLayered
  }

  private markName(mark: number): string {
    const { call, scratch, view } = this.pdfium
    if (!call.FPDFPageObjMark_GetName(mark, scratch + 4, scratchBytes - 4, scratch)) return ''
    return readUtf16(this.pdfium, scratch + 4, view().getUint32(scratch, true))
  }

  private hasReplacement(mark: number): boolean {
    const { call, scratch, view } = this.pdfium
    const key = scratch + 4
    new Uint8Array(view().buffer, key, actualText.length).set(actualText)
    return call.FPDFPageObjMark_GetParamStringValue(mark, key, 0, 0, scratch) !== 0
  }
}

const actualText = Buffer.from('ActualText\0', 'latin1')

/** Reads six floats. */
export function readMatrix(memory: DataView, at: number): Matrix {
  const part = (index: number) => memory.getFloat32(at + 4 * index, true)
  return [part(0), part(1), part(2), part(3), part(4), part(5)]
}
