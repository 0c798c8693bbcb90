import { describe, expect, it } from 'vitest'
import { hostTitle, listFileAddresses } from './download.ts'

const base = 'https://export.arxiv.org'
const keys = (pdfUrl: string, arxivId?: string) =>
  listFileAddresses(arxivId === undefined ? { pdfUrl } : { pdfUrl, arxivId }, base).find(
    ({ address }) => address === pdfUrl,
  )?.keys

describe('fileAddresses', () => {
  it('tries arXiv’s own, then what the place gave', () => {
    const paper = { pdfUrl: 'https://example.org/a.pdf', arxivId: '2401.00011v2' }
    expect(listFileAddresses(paper, base).map(({ address }) => address)).toEqual([
      'https://export.arxiv.org/pdf/2401.00011v2',
      'https://example.org/a.pdf',
    ])
    expect(listFileAddresses({}, base)).toEqual([])
  })

  it('knows one file by its version, wherever arXiv has it', () => {
    expect(keys('https://arxiv.org/pdf/2401.00011v2')).toContain('arxiv:2401.00011v2')
    expect(keys('https://export.arxiv.org/pdf/2401.00011v2.pdf')).toContain('arxiv:2401.00011v2')
    const mirror = { pdfUrl: 'http://mirror.test/pdf/2401.00011v2' }
    expect(listFileAddresses(mirror, 'http://mirror.test')[0]?.keys).toContain('arxiv:2401.00011v2')
  })

  it.each([
    'https://evil.test/pdf/2401.00011v2',
    'https://evil.test/arxiv.org/pdf/2401.00011v2',
    'https://evil.test/?of=https://arxiv.org/pdf/2401.00011v2',
    'https://arxiv.org.evil.test/pdf/2401.00011v2',
    'https://notarxiv.org/pdf/2401.00011v2',
    'https://arxiv.org:8443/pdf/2401.00011v2',
    'http://arxiv.org/pdf/2401.00011v2',
  ])('does not take what stands at %s for arXiv’s file', (address) => {
    expect(keys(address, '2401.00011v2')).toHaveLength(1)
    expect(keys(address, '2401.00011v2')?.[0]).not.toMatch(/^arxiv:/)
  })

  it('takes neither the latest version nor another’s copy for that version', () => {
    expect(keys('https://arxiv.org/pdf/2401.00011', '2401.00011v2')).toEqual([
      'https://arxiv.org/pdf/2401.00011',
    ])
    expect(keys('https://example.org/a.pdf', '2401.00011v2')).toEqual(['https://example.org/a.pdf'])
  })

  it('names hosts for people', () => {
    expect(hostTitle('https://export.arxiv.org/pdf/1')).toBe('arXiv')
    expect(hostTitle('https://www.example.org/notarxiv.org')).toBe('example.org')
    expect(hostTitle('https://notarxiv.org/')).toBe('notarxiv.org')
  })
})
