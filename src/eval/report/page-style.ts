/** The style of the page, for light and dark. */
export const pageStyle = `
:root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --dim: #5b6570; --line: #d7dce1; --bar: #3f72af; --good: #1a7f37; --bad: #b3261e; --open: #8a6100; }
@media (prefers-color-scheme: dark) { :root { --back: #14171a; --text: #e4e7ea; --dim: #9aa4ae; --line: #333a41; --bar: #6ea0dc; --good: #57c273; --bad: #f2857c; --open: #d8a93a; } }
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1200px; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } h3 { font-size: .95rem; margin: 0; }
p { margin: .4rem 0; } .dim { color: var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
th { position: sticky; top: 0; background: var(--back); white-space: nowrap; } td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " ▲"; } th[aria-sort=descending] button::after { content: " ▼"; }
td.text { min-width: 12rem; max-width: 24rem; overflow-wrap: anywhere; } summary { cursor: pointer; } .pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 1rem; }
svg { width: 100%; height: auto; max-width: 900px; } svg text { fill: var(--dim); font-size: 11px; } svg .name { fill: var(--text); font-weight: 600; font-size: 12px; }
svg .end { text-anchor: end; } svg .tick { text-anchor: middle; } svg .grid { stroke: var(--line); fill: none; } svg .bar { fill: var(--bar); opacity: .8; }
svg .whisker { stroke: var(--text); fill: none; stroke-width: 1.5; } svg .dot { fill: var(--bar); opacity: .6; }
code { font-size: .9em; }
`
