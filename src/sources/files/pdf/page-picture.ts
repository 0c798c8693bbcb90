import type { Box } from './geometry.ts'
import type { Paint, TextPaint } from './page-objects.ts'
import { outOfMemory, type Pdfium } from './pdfium.ts'

/** Objects of a page that are drawn differently. */
export interface Changes {
  /** Addresses of objects that are left out. */
  readonly without?: Iterable<number>
  /** Texts that are drawn in the opposite of their colour, or in black. */
  readonly inverted?: Iterable<TextPaint>
  readonly blackened?: Iterable<TextPaint>
}

/** A part of a page as a viewer draws it, with four bytes per pixel: blue, green, red, and one unused. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
  /** The pixels of a box in the coordinates of the page, and at least one. */
  readonly pixelsOf: (box: Box) => PixelBox
}

/** A range of columns and rows; the last ones are included. */
export interface PixelBox {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Pixels per point, and maximum number of pixels. */
const scale = 2
const maxPixels = 4_000_000
/** Pixels around the part that is drawn. */
const margin = 4
const bgrx = 3
const white = 0xffffffff
const black: Paint = [0, 0, 0, 255]

/**
 * Draws a part of a page and a margin around it.
 * @throws if there is not enough memory
 */
export function drawPage(pdfium: Pdfium, page: number, part: Box, changes: Changes): Picture {
  const { call, scratch, view } = pdfium
  const area = Math.max(1, (part.right - part.left) * (part.top - part.bottom))
  const fitting = Math.min(scale, Math.sqrt(maxPixels / area))
  const pageWidth = Math.ceil(call.FPDF_GetPageWidthF(page) * fitting)
  const pageHeight = Math.ceil(call.FPDF_GetPageHeightF(page) * fitting)
  const pixelsAround = ({ left, bottom, right, top }: Box, fromX: number, fromY: number) => {
    const pixelAt = (x: number, y: number): readonly [column: number, row: number] => {
      call.FPDF_PageToDevice(page, 0, 0, pageWidth, pageHeight, 0, x, y, scratch, scratch + 4)
      return [view().getInt32(scratch, true) - fromX, view().getInt32(scratch + 4, true) - fromY]
    }
    const [one, other] = [pixelAt(left, bottom), pixelAt(right, top)]
    return {
      left: Math.min(one[0], other[0]),
      right: Math.max(one[0], other[0]),
      top: Math.min(one[1], other[1]),
      bottom: Math.max(one[1], other[1]),
    }
  }
  const place = pixelsAround(part, 0, 0)
  const [fromX, fromY] = [place.left - margin, place.top - margin]
  const width = place.right - place.left + 1 + 2 * margin
  const height = place.bottom - place.top + 1 + 2 * margin
  const bytes = 4 * width * height
  const at = call.malloc(bytes)
  if (at === 0) throw new Error(outOfMemory)
  const bitmap = call.FPDFBitmap_CreateEx(width, height, bgrx, at, 4 * width)
  call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
  const { without = [], inverted = [], blackened = [] } = changes
  for (const object of without) call.FPDFPageObj_SetIsActive(object, 0)
  for (const text of inverted) paintText(pdfium, text, invert)
  for (const text of blackened) paintText(pdfium, text, () => black)
  call.FPDF_RenderPageBitmap(bitmap, page, -fromX, -fromY, pageWidth, pageHeight, 0, 0)
  for (const text of [...inverted, ...blackened]) paintText(pdfium, text, (paint) => paint)
  for (const object of without) call.FPDFPageObj_SetIsActive(object, 1)
  const pixels = new Uint8Array(view().buffer, at, bytes).slice()
  call.FPDFBitmap_Destroy(bitmap)
  call.free(at)

  return {
    width,
    height,
    pixels,
    pixelsOf(box) {
      const { left, right, top, bottom } = pixelsAround(box, fromX, fromY)
      return {
        left: Math.max(0, left),
        right: Math.min(width - 1, right),
        top: Math.max(0, top),
        bottom: Math.min(height - 1, bottom),
      }
    },
  }
}

function paintText(
  { call }: Pdfium,
  { object, fill, stroke }: TextPaint,
  change: (paint: Paint) => Paint,
): void {
  call.FPDFPageObj_SetFillColor(object, ...change(fill))
  call.FPDFPageObj_SetStrokeColor(object, ...change(stroke))
}

function invert([red, green, blue, opacity]: Paint): Paint {
  const opposite = (part: number) => (part < 128 ? 255 : 0)
  return [opposite(red), opposite(green), opposite(blue), opacity]
}
