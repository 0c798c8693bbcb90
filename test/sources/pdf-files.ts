import { constants, deflateRawSync } from 'node:zlib'

/** A font that is not in the file, with a character map that readers are to have. */
const japaneseFont =
  '<</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/90ms-RKSJ-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor<</Type/FontDescriptor/FontName/Ryumin-Light/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 800/StemV 80>>>>]>>'

/** What a small PDF is made of. */
export interface PdfParts {
  /** The drawing commands of each page, 600 by 800 points, with Helvetica as `/F1` and bold as `/F2`; code 1 draws the ligature fi. */
  readonly pages: readonly string[]
  readonly title?: string
  readonly locked?: boolean
  /** Drawing commands of forms, `/X0` and so on. */
  readonly forms?: readonly string[]
  /** More objects; `{0}` in any entry is a reference to the first of them. */
  readonly objects?: readonly string[]
  /** More entries of the resources of pages, of their fonts and pictures, of the catalog, and of forms. */
  readonly resources?: string
  readonly fonts?: string
  readonly images?: string
  readonly catalog?: string
  readonly form?: string
}

/** A small PDF. */
export function pdfOf(parts: PdfParts): Buffer {
  const { pages, title = '', locked = false, forms = [], objects: more = [] } = parts
  const {
    resources: own = '',
    fonts: ownFonts = '',
    images = '',
    catalog = '',
    form: formEntries = '',
  } = parts
  const fonts = ['Helvetica', 'Helvetica-Bold'].map(
    (name) =>
      `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[1/fi]>>>>`,
  )
  const firstPage = 7
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`)
  const firstForm = firstPage + 2 * pages.length
  const formNames = forms.map((_, index) => `/X${index} ${firstForm + index} 0 R`).join('')
  const resources = `/Resources<</Font<</F1 4 0 R/F2 5 0 R/F3 6 0 R${ownFonts}>>/XObject<<${formNames}${images}>>${own}>>`
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${pages.length}/MediaBox[0 0 600 800]${resources}>>`,
    `<</Title(${title})>>`,
    ...fonts,
    japaneseFont,
    ...pages.flatMap((page, index) => [
      `<</Type/Page/Parent 2 0 R/Contents ${firstPage + 2 * index + 1} 0 R>>`,
      stream('', page),
    ]),
    ...forms.map((form) =>
      stream(`/Type/XObject/Subtype/Form/BBox[0 0 600 800]${formEntries}${resources}`, form),
    ),
    ...more,
  ].map((object) =>
    object.replace(/\{(\d)\}/g, (_, index) => `${firstForm + forms.length + Number(index)} 0 R`),
  )
  const lock = `/Encrypt<</Filter/Standard/V 1/R 2/O(${'o'.repeat(32)})/U(${'u'.repeat(32)})/P -4>>/ID[(i)(i)]`
  return assembled(objects, `/Info 3 0 R${locked ? lock : ''}`)
}

/** A stream object. */
export function stream(entries: string, data: string): string {
  return `<<${entries}/Length ${data.length}>>\nstream\n${data}\nendstream`
}

/** A PDF of objects, which have their numbers from 1 on; the first is its catalog. */
export function assembled(objects: readonly string[], trailer: string): Buffer {
  let body = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const end = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${body.length}\n%%EOF`
  return Buffer.from(body + table + end, 'latin1')
}

/** A few megabytes that unpack to four gigabytes of blanks: one packed block, many times. */
export function swellingPdf(): Buffer {
  const block = deflateRawSync(Buffer.alloc(1_000_000, ' '), {
    finishFlush: constants.Z_FULL_FLUSH,
  })
  const packed = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array(4_000).fill(block)]).toString(
    'latin1',
  )
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>',
    stream('/Filter/FlateDecode', packed),
  ]
  return assembled(objects, '')
}
