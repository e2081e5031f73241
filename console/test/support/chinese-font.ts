/**
 * Loads a Chinese font into a page, because test machines have none. It is fetched once from the
 * npm registry into `artifacts/`: 70 MB that nothing else needs, so it is no dependency. The page
 * gets it through its own style sheet, as its policy requires.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const FOLDER = new URL('../../../artifacts/fonts/', import.meta.url).pathname;
const PACKAGE = '@fontsource/noto-sans-sc@5.3.0';
const WEIGHTS = [400, 600] as const;

function fontFile(weight: number): string {
  return join(FOLDER, 'package', 'files', `noto-sans-sc-chinese-simplified-${weight}-normal.woff2`);
}

function fetchFont(): void {
  if (WEIGHTS.every((weight) => existsSync(fontFile(weight)))) return;
  mkdirSync(FOLDER, { recursive: true });
  const archive = execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: FOLDER })
    .toString()
    .trim();
  execFileSync(
    'tar',
    [
      'xzf',
      archive,
      ...WEIGHTS.map(
        (weight) => `package/files/noto-sans-sc-chinese-simplified-${weight}-normal.woff2`,
      ),
    ],
    { cwd: FOLDER },
  );
}

export async function installChineseFont(page: Page): Promise<void> {
  fetchFont();
  const faces = WEIGHTS.map(
    (weight) =>
      `@font-face{font-family:"Noto Sans SC";font-weight:${weight};` +
      `src:url(/assets/lent-${weight}.woff2)}`,
  ).join('');
  for (const weight of WEIGHTS) {
    await page.route(`**/assets/lent-${weight}.woff2`, (route) =>
      route.fulfill({ body: readFileSync(fontFile(weight)), contentType: 'font/woff2' }),
    );
  }
  await page.route('**/assets/*.css', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${faces}${await response.text()}` });
  });
}
