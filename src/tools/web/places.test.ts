import { describe, expect, it } from 'vitest'
import { placeSiteName, WebPlaces } from './places.ts'

const page = (url: string) => ({ url, title: 'A page' })

describe('the numbers of results', () => {
  it('go from 1 on, each address once however it is written', () => {
    const places = new WebPlaces()
    const urls = ['https://a.test/x', 'https://b.test/', 'HTTPS://A.test:443/x?utm_source=mail']
    expect(urls.map((url) => places.add(page(url)))).toEqual([1, 2, 1])
    expect(places.placeOf(2).url).toBe('https://b.test/')
    expect(new WebPlaces(places.all).add(page('https://b.test/'))).toBe(2)
  })

  it.each([0, 3, -1, 1.5])('refuses %d and says which there are', (n) => {
    const places = new WebPlaces([page('https://a.test/'), page('https://b.test/')])
    expect(() => places.placeOf(n)).toThrow(/There is no result .*Results go from 1 to 2\./)
  })

  it('says where there are none', () => {
    expect(() => new WebPlaces().placeOf(1)).toThrow(/search first/)
  })

  it('have a site by which they can be judged', () => {
    expect(placeSiteName(page('https://www.example.org/a?b=c'))).toBe('example.org')
  })
})
