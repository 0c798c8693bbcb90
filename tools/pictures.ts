// Makes the pictures of the README in docs/pictures: node tools/pictures.ts. It runs the real command line on the sample library
// with the built-in engine: an answer as a terminal shows it, as SVG, and a report as Chromium shows it, as PNG. It needs
// Chromium (SCHOLIUM_CHROMIUM, or on the PATH) and the program `script`, which gives the command a terminal.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { chromium } from 'playwright-core'
import { findChromium } from '../test/papers/chromium.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pictures = join(root, 'docs/pictures')
const command = `${process.execPath} bin/scholium.js`
const columns = 96
const maxPictureBytes = 150_000
const escapeSign = '\u001b'
const hyperlink = new RegExp(
  `${escapeSign}\\][^\u0007${escapeSign}]*(?:\u0007|${escapeSign}\\\\)`,
  'g',
)

/** The standard output of a command in a terminal of {@link columns} columns, with its colours. */
function runInTerminal(line: string): string {
  const inside = `stty cols ${columns} rows 50; ${command} ${line} 2>/dev/null`
  const { NO_COLOR: _, ...env } = process.env
  const output = execFileSync('script', ['-qec', inside, '/dev/null'], {
    cwd: root,
    env: { ...env, TERM: 'xterm-256color' },
    encoding: 'utf8',
  })
  return output.replaceAll('\r', '')
}

const colors: Readonly<Record<string, string>> = {
  '1': 'font-weight="bold"',
  '2': 'fill="#8b949e"',
  '31': 'fill="#ff7b72"',
  '32': 'fill="#7ee787"',
  '33': 'fill="#e3b341"',
  '36': 'fill="#79c0ff"',
}

/** A line of terminal output as the content of an SVG text element. Links and other escape sequences are dropped. */
function svgLine(line: string): string {
  const [first = '', ...styled] = line.replace(hyperlink, '').split(`${escapeSign}[`)
  const spans = styled.map((part) => {
    const [, code = '', text = ''] = /^([\d;]*)m(.*)$/s.exec(part) ?? []
    const style = colors[code]
    return style === undefined ? escapeXml(text) : `<tspan ${style}>${escapeXml(text)}</tspan>`
  })
  return escapeXml(first) + spans.join('')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A terminal window with a prompt, the command and its output. */
function terminalSvg(typed: string, output: string): string {
  const lines = [
    `${escapeSign}[2m$${escapeSign}[0m ${escapeSign}[1m${typed}${escapeSign}[0m`,
    ...output.trimEnd().split('\n'),
  ]
  const [widthPx, linePx, topPx] = [columns * 8.5 + 40, 20, 52]
  const heightPx = topPx + lines.length * linePx + 8
  const texts = lines.map(
    (line, index) => `<text x="20" y="${topPx + index * linePx}">${svgLine(line)}</text>`,
  )
  const dots = ['#ff5f56', '#ffbd2e', '#27c93f'].map(
    (color, index) => `<circle cx="${24 + index * 20}" cy="20" r="6" fill="${color}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${heightPx}" width="${widthPx}" height="${heightPx}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">
<title>${escapeXml(typed)}</title>
<style>text { white-space: pre }</style>
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
${dots.join('')}
${texts.join('\n')}
</svg>
`
}

/** What stays the same from run to run: without the line with the run's id and times, and what follows it. */
function withoutRunLine(output: string): string {
  const lines = output.split('\n')
  const at = lines.findIndex((line) => /^Run \d/.test(stripVTControlCharacters(line)))
  return lines.slice(0, at < 0 ? lines.length : at).join('\n')
}

async function photograph(page: string, picture: string): Promise<void> {
  const executablePath = findChromium()
  const browser = await chromium.launch({ ...(executablePath && { executablePath }) })
  try {
    const tab = await browser.newPage({
      viewport: { width: 1200, height: 800 },
      colorScheme: 'light',
    })
    await tab.goto(pathToFileURL(page).href)
    // The one figure of the header that differs from run to run.
    await tab.locator('.head-figures > div', { hasText: 'Time' }).evaluate((box) => box.remove())
    await tab.screenshot({ path: picture })
  } finally {
    await browser.close()
  }
}

const work = mkdtempSync(join(tmpdir(), 'scholium-pictures-'))
try {
  mkdirSync(pictures, { recursive: true })
  const home = `--home ${join(work, 'home')}`
  const question = 'ask "What is CRISPR and who invented it?"'
  const answer = withoutRunLine(runInTerminal(`${question} ${home}`))
  writeFileSync(join(pictures, 'answer.svg'), terminalSvg(`scholium ${question}`, answer))
  const report = join(work, 'report.html')
  runInTerminal(`papers "CRISPR gene editing" --source samples/library --report ${report} ${home}`)
  await photograph(report, join(pictures, 'report.png'))
  for (const name of ['answer.svg', 'report.png']) {
    const { size } = statSync(join(pictures, name))
    if (size > maxPictureBytes)
      throw new Error(`${name} has ${size} bytes; the maximum is ${maxPictureBytes}.`)
    console.log(`docs/pictures/${name}: ${size} bytes`)
  }
} finally {
  rmSync(work, { recursive: true })
}
