import { styleText } from 'node:util'

/** Colours and font weights, or none. */
export interface Paint {
  readonly isColored: boolean
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  yellow(text: string): string
  red(text: string): string
  cyan(text: string): string
}

/** Creates a paint that colours text, or leaves it as it is. */
export function createPaint(isColored: boolean): Paint {
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    isColored && text !== '' ? styleText(format, text, { validateStream: false }) : text
  return {
    isColored,
    bold: style('bold'),
    dim: style('dim'),
    green: style('green'),
    yellow: style('yellow'),
    red: style('red'),
    cyan: style('cyan'),
  }
}
