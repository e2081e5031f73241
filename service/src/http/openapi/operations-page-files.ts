/** Style sheet and script of the page of operations. */

export const OPERATIONS_STYLE = `body { display: grid; gap: 1.5rem 3rem; margin: 0 auto;
  max-width: 80rem; padding: 1rem max(1rem, env(safe-area-inset-right)) 4rem
    max(1rem, env(safe-area-inset-left)); grid-template-columns: minmax(0, 1fr); }
html { scroll-padding-top: 6.5rem; }
main > p { max-width: 42rem; margin: .6rem 0 0; }
.lead { font-size: 1.0625rem; }
code { font: .9em/1.5 ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace; }
h2 { margin: 0; font-size: 1.125rem; font-weight: 600; line-height: 1.35;
  letter-spacing: -.015em; }
.skip { position: absolute; top: -4rem; z-index: 2; padding: .6rem 1rem; border-radius: 12px;
  border: 1px solid var(--line-strong); background: var(--surface); color: var(--text); }
.skip:focus { top: .75rem; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 1rem 0 0; padding: 0;
  list-style: none; color: var(--dimmed); font-size: .875rem; }

.facts a { position: relative; }
.facts a::after { content: ''; position: absolute; inset: -.85rem 0; }

nav { font-size: .875rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li { display: flex; justify-content: space-between; align-items: baseline; gap: .75rem; }
nav a { flex: 1; padding: .35rem 0; color: var(--text); text-decoration: none; }
nav a:hover { color: var(--link); text-decoration: underline; }
nav small { color: var(--dimmed); font-size: .75rem; font-variant-numeric: tabular-nums; }
details { border: 1px solid var(--line); border-radius: 12px; background: var(--surface);
  padding: 0 1rem; }
summary { padding: .65rem 0; font-weight: 500; cursor: pointer; }
details ul { padding-bottom: .65rem; }
details a { padding: .5rem 0; }
.wide { display: none; }

.filter { position: sticky; top: 0; z-index: 1; margin-top: 1.25rem; padding: .6rem 0;
  display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; background: var(--ground); }
.filter label { font-size: .875rem; font-weight: 500; }
.filter input { grid-column: 1 / -1; width: 100%; height: 2.75rem; margin-top: .25rem;
  padding: 0 .9rem; font: inherit; border: 1px solid var(--line-strong); border-radius: 12px;
  background: var(--field); color: var(--text); accent-color: var(--filled); }
@media (scripting: none) { .filter { display: none; } }
#all-operations:focus { outline: none; }
#count { color: var(--dimmed); font-size: .875rem; }

section { margin-top: 1.5rem; }
section + section { margin-top: 2.25rem; }
section p { margin: .15rem 0 0; color: var(--dimmed); font-size: .875rem; }
.rows { margin: .75rem 0 0; padding: 0; list-style: none; border: 1px solid var(--line);
  border-radius: 18px; background: var(--surface); overflow: hidden; }
.rows li + li { border-top: 1px solid var(--line); }
.rows a { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: 0 .5rem;
  align-items: baseline; padding: .65rem 1rem; color: var(--text); text-decoration: none; }
.rows a:hover { background: color-mix(in srgb, var(--leaf) 10%, var(--surface)); }
.rows a:hover code { text-decoration: underline; text-underline-offset: .2em; }
.rows a:focus-visible { outline-offset: -4px; border-radius: 18px; }
.rows b { font-size: .75rem; font-weight: 600; letter-spacing: .02em; color: var(--link); }
.rows .get { color: var(--dimmed); }
.rows .delete { color: var(--failure); }
.rows span { grid-column: 2; color: var(--dimmed); font-size: .875rem; }

@media (min-width: 40rem) {
  .rows a { grid-template-columns: 4rem minmax(0, 1.1fr) minmax(0, 1fr); gap: 0 1rem; }
  .rows span { grid-column: auto; }
}
@media (min-width: 62rem) {
  body { grid-template-columns: 15rem minmax(0, 1fr); padding-inline: 2rem; }
  body > header { grid-column: 1 / -1; }
  details { display: none; }
  .wide { display: block; position: sticky; top: 1rem; max-height: calc(100dvh - 2rem);
    overflow-y: auto; overscroll-behavior: contain; padding-inline-end: .5rem; }
  nav a { padding: .2rem 0; }
}
`;

/** An address of an operation is the explorer's. */
export const OPERATIONS_SCRIPT = `const openOperation = () => {
  if (location.hash.startsWith('#/')) location.replace('/docs/explorer' + location.hash);
};
openOperation();
addEventListener('hashchange', openOperation);

const field = document.getElementById('filter');
const counted = document.getElementById('count');
const parts = [...document.querySelectorAll('section')].map((section) => ({
  elements: [
    section,
    ...[...document.querySelectorAll('nav a')]
      .filter((link) => link.hash === '#' + section.id)
      .map((link) => link.parentElement),
  ],
  rows: [...section.querySelectorAll('li')].map((element) => ({
    element,
    text: (element.textContent + ' ' + element.firstElementChild.hash).toLowerCase(),
  })),
}));
const total = parts.reduce((sum, { rows }) => sum + rows.length, 0);

function filter() {
  const words = field.value.toLowerCase().split(/\\s+/);
  let count = 0;
  for (const { elements, rows } of parts) {
    let shown = 0;
    for (const { element, text } of rows) {
      element.hidden = !words.every((word) => text.includes(word));
      if (!element.hidden) shown++;
    }
    for (const element of elements) element.hidden = shown === 0;
    count += shown;
  }
  const text = (count === total ? '' : count + ' of ') + total + ' operations';
  if (counted.textContent !== text) counted.textContent = text;
}
field.addEventListener('input', filter);
// A browser may bring back what was in the field.
addEventListener('pageshow', filter);
`;
