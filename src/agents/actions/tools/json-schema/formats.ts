import { isIPv4, isIPv6 } from 'node:net'

const day = /^(\d{4})-(\d\d)-(\d\d)$/
const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** Whether a text is of a format, by its name; other formats are not looked at, as the standard allows. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDay,
  time: (text) => time.test(text),
  'date-time': (text) => {
    const at = text.search(/[t ]/i)
    return at > 0 && isDay(text.slice(0, at)) && time.test(text.slice(at + 1))
  },
  email: (text) =>
    text.length <= 320 &&
    /^[^\s@"]{1,64}@[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/i.test(text) &&
    !text.includes('..'),
  uri: (text) => /^[a-z][a-z\d+.-]*:/i.test(text) && URL.canParse(text),
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  hostname: (text) =>
    text.length <= 253 &&
    /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i.test(text),
  regex: (text) => {
    try {
      return new RegExp(text, 'u') instanceof RegExp
    } catch {
      return false
    }
  },
}

function isDay(text: string): boolean {
  const [, year, month, date] = day.exec(text) ?? []
  if (year === undefined) return false
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(date)
}
