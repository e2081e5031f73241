/**
 * The typeface of the console on the pages that the service shows itself: the same file under the
 * same address, which browsers keep for ever.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ASSETS = fileURLToPath(new URL('../../../console/dist/assets/', import.meta.url));
const NAME = /^inter-latin-wght-normal-[\w-]+\.woff2$/;

/** Its address; undefined while the console is not built: pages then have fonts of the system. */
function findFont(): string | undefined {
  try {
    const name = readdirSync(ASSETS).find((file) => NAME.test(file));
    return name && `/assets/${name}`;
  } catch {
    return undefined;
  }
}

const PATH = findFont();

/** Of the system, with Chinese; before them, what stands in for Inter with its measures. */
const SYSTEM = `ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans',
    'PingFang SC', 'Microsoft YaHei', 'Noto Sans SC', sans-serif`;
export const PAGE_FONTS =
  PATH === undefined ? SYSTEM : `'Inter Variable', 'Inter Measures', ${SYSTEM}`;

/**
 * The file is swapped in when it comes. Until then a common font has the widths and heights of
 * Inter, so that no line moves.
 */
export const FONT_FACES =
  PATH === undefined
    ? ''
    : `@font-face { font-family: 'Inter Variable'; font-display: swap; font-weight: 100 900;
  src: url('${PATH}') format('woff2');
  unicode-range: U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304,
    U+0308, U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD; }
@font-face { font-family: 'Inter Measures';
  src: local('Arial'), local('Liberation Sans'), local('Helvetica'), local('Roboto');
  ascent-override: 90.49%; descent-override: 22.56%; line-gap-override: 0%;
  size-adjust: 107.06%; }
`;

/** In the head of a page: the file is on its way before the style sheet is read. */
export const FONT_PRELOAD =
  PATH === undefined
    ? ''
    : `<link rel="preload" as="font" type="font/woff2" crossorigin href="${PATH}">`;

/** For a Content-Security-Policy. */
export const FONT_SOURCE = PATH === undefined ? [] : ["font-src 'self'"];
