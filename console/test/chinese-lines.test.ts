/** Chinese lines break after marks and around words of other scripts, not within words. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newPerson } from './support/journey.ts';
import { openPage } from './support/pages.ts';
import { signUpByApi } from './support/seed.ts';
import { closeCalmly, setStage } from './support/stage.ts';
import type { WatchedWindow } from './support/window.ts';

const stage = setStage();
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  const person = newPerson();
  await signUpByApi(stage.service.baseUrl, person);
  window = await stage.openAs(person);
  page = window.page;
  await page.evaluate(() => localStorage.setItem('edge-language', 'zh'));
  return () => closeCalmly(window);
}, 120_000);

/** Machines that test lack a Chinese font, and draw narrow boxes: made as wide as a sign is. */
async function widenSigns(): Promise<void> {
  await page.evaluate(() => {
    const probe = document.createElement('span');
    probe.textContent = '设';
    document.body.append(probe);
    const size = Number.parseFloat(getComputedStyle(probe).fontSize);
    const missing_em = 1 - probe.getBoundingClientRect().width / size;
    probe.remove();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`main li [class*=rowText] { letter-spacing: ${Math.max(0, missing_em)}em }`);
    document.adoptedStyleSheets = [sheet];
  });
}

/** Texts in which a line ends between two Chinese signs, `|` where. */
function findBrokenWords(root: Element): string[] {
  const han = /\p{Script=Han}/u;
  const broken: string[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent ?? '';
    const topOf = (at: number): number => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().top;
    };
    for (let at = 1; at < text.length; at++) {
      if (han.test(text[at - 1] ?? '') && han.test(text[at] ?? '') && topOf(at) - topOf(at - 1) > 4) broken.push(`${text.slice(0, at)}|${text.slice(at)}`);
    }
  }
  return broken;
}

test.each([320, 390])(
  'second factors on a phone of %i pixels',
  async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await openPage(page, '/security');
    await widenSigns();
    const rows = page.locator('main section', { hasText: '通行密钥' }).last();
    await rows.getByText('身份验证器应用').waitFor();
    expect(await rows.evaluate(findBrokenWords)).toEqual([]);
  },
  60_000,
);
