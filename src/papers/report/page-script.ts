/**
 * The page's script, which is optional: it opens sections that a link leads into, sorts the table of papers, and expands
 * everything for printing.
 */
export const pageScript = `
const reveal = () => {
  const target = document.getElementById(location.hash.slice(1))
  if (!target) return
  for (let box = target.closest('details'); box; box = box.parentElement.closest('details')) box.open = true
  target.scrollIntoView()
}
addEventListener('hashchange', reveal)
reveal()

let folded = []
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('details:not([open])')]
  for (const box of folded) box.open = true
})
addEventListener('afterprint', () => {
  for (const box of folded) box.open = false
})

for (const table of document.querySelectorAll('table[data-sorts]')) {
  const heads = [...table.querySelectorAll('thead th')]
  const body = table.querySelector('tbody')
  for (const [column, head] of heads.entries()) {
    const button = document.createElement('button')
    button.type = 'button'
    button.append(...head.childNodes)
    head.append(button)
    button.addEventListener('click', () => {
      const isUp = head.getAttribute('aria-sort') !== 'ascending'
      for (const other of heads) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending')
      const valueOf = (row) => row.children[column].dataset.value
      const rows = [...body.rows].sort((one, other) => {
        const [a, b] = [valueOf(one), valueOf(other)]
        if (a === '' || b === '') return (a === '') - (b === '')
        const order = 'numbers' in head.dataset ? a - b : a.localeCompare(b)
        return isUp ? order : -order
      })
      body.append(...rows)
    })
  }
}
`
