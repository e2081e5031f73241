/**
 * `npm run app-icons`: draws the icons of the installed app from the mark of the service, into
 * files that are named by their content. The manifest and `index.html` name them; a test compares.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../service/test/support/browser.ts';

const CONSOLE = join(import.meta.dirname, '../console');
const FOLDER = join(CONSOLE, 'public/assets');
const PREFIX = 'app-icon-';
const HASH_DIGITS = 8;

const rounded = readFileSync(join(CONSOLE, 'src/theme/icon.svg'), 'utf8');
/** The system cuts the corners: those of the mark would stay empty. Its nodes are within 40 %. */
const square = rounded.replace(' rx="9"', '');
const ICONS = [
  { name: '180', side: 180, drawing: square },
  { name: '192', side: 192, drawing: rounded },
  { name: '512', side: 512, drawing: rounded },
  { name: 'maskable-512', side: 512, drawing: square },
];

mkdirSync(FOLDER, { recursive: true });
for (const file of readdirSync(FOLDER)) if (file.startsWith(PREFIX)) rmSync(join(FOLDER, file));
const { browser, close } = await openBrowser();
const page = await browser.newPage();
for (const { name, side, drawing } of ICONS) {
  await page.setViewportSize({ width: side, height: side });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${drawing}`);
  const image = await page.screenshot({ omitBackground: true });
  const hash = createHash('sha256').update(image).digest('hex').slice(0, HASH_DIGITS);
  const file = `${PREFIX}${name}-${hash}.png`;
  writeFileSync(join(FOLDER, file), image);
  console.log(file, image.length);
}
await close();
