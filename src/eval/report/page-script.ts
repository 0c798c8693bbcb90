/** What the page does by itself: a click on a head of the table of questions sorts it by that column, and again the other way. */
export const pageScript = `
const table = document.querySelector('#questions')
const heads = [...table.querySelectorAll('th')]
for (const [column, head] of heads.entries()) {
  head.querySelector('button').addEventListener('click', () => {
    const isUp = head.getAttribute('aria-sort') !== 'ascending'
    for (const other of heads) other.removeAttribute('aria-sort')
    head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending')
    const body = table.querySelector('tbody')
    const valueOf = (row) => row.children[column].getAttribute('data-value')
    const rows = [...body.querySelectorAll('tr')].sort((one, other) => {
      const [a, b] = [valueOf(one), valueOf(other)]
      if (a === '' || b === '') return (a === '') - (b === '')
      const order = head.hasAttribute('data-numbers') ? a - b : a.localeCompare(b)
      return isUp ? order : -order
    })
    for (const row of rows) body.append(row)
  })
}
`
