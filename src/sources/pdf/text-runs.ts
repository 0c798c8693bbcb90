import type { TextRun } from './lines.ts'

/** Text within this many degrees of a right angle counts as straight, as on scanned pages. */
const STRAIGHT_DEGREES = 3

/** An item of pdf.js' text content, as far as it is used here. */
export interface TextItem {
  readonly str: string
  readonly dir: string
  readonly width: number
  /** `[a, b, c, d, x, y]`: `(a, b)` is the way along the baseline, `(c, d)` the way up. */
  readonly transform: readonly number[]
  readonly fontName: string
}

/** A text item as a run, with its place measured along its own axes, so that turned and mirrored pages read like any other. */
export function textRunOf({ str, dir, width, transform, fontName }: TextItem): TextRun {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform
  const degrees = (Math.atan2(b, a) * 180) / Math.PI
  const quarter = Math.round(degrees / 90) * 90
  const angle = Math.abs(degrees - quarter) <= STRAIGHT_DEGREES ? quarter : Math.round(degrees)
  const cosine = Math.cos((angle * Math.PI) / 180)
  const sine = Math.sin((angle * Math.PI) / 180)
  const handedness = a * d - b * c < 0 ? -1 : 1
  return {
    text: readable(str),
    x: cosine * x + sine * y,
    y: handedness * (cosine * y - sine * x),
    width,
    size: Math.hypot(c, d) || Math.hypot(a, b),
    font: fontName,
    rightToLeft: dir === 'rtl',
    direction: `${(angle + 360) % 360} ${handedness}`,
  }
}

/** Characters that no font maps to anything readable, those of symbol fonts and control characters among them. */
const UNREADABLE = /[\p{Co}\p{Cc}\ufffd]/gu

/** How many characters of the text cannot be read. */
export function countUnreadable(text: string): number {
  return text.match(UNREADABLE)?.length ?? 0
}

const LIGATURES: Readonly<Record<string, string>> = {
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
}

/** The text without what cannot be read, with ligatures as letters and symbol fonts' bullets as bullets. */
function readable(text: string): string {
  return text
    .replace(/[\uf0b7\uf0a7]/g, '•')
    .replace(/[\t\n\r\u00a0]/g, ' ')
    .replace(UNREADABLE, '')
    .replace(/[ﬀ-ﬆ]/g, (ligature) => LIGATURES[ligature] ?? ligature)
}
