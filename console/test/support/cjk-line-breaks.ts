/** Line breaks of Chinese text on machines without a Chinese font. */
import type { Locator, Page } from 'playwright-core';

/**
 * Placeholder glyphs are narrower than Chinese characters: widens them within the selected
 * elements.
 */
export async function widenSigns(page: Page, selector: string): Promise<void> {
  await page.evaluate((widened) => {
    const probe = document.createElement('span');
    probe.textContent = '设';
    document.body.append(probe);
    const size = Number.parseFloat(getComputedStyle(probe).fontSize);
    const missing_em = 1 - probe.getBoundingClientRect().width / size;
    probe.remove();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${widened} { letter-spacing: ${Math.max(0, missing_em)}em }`);
    document.adoptedStyleSheets = [sheet];
  }, selector);
}

/** Line breaks within texts, as `|`, between characters that match the two patterns. */
export async function findLineEnds(
  within: Locator,
  before: RegExp,
  after: RegExp,
): Promise<string[]> {
  return within.evaluateAll(
    (roots, [endsWith, beginsWith]) => {
      const [last, first] = [new RegExp(endsWith, 'u'), new RegExp(beginsWith, 'u')];
      const endsIn = (node: Node): string[] => {
        const text = node.textContent ?? '';
        const topOf = (at: number): number => {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          return range.getBoundingClientRect().top;
        };
        return Array.from(text, (_, at) => at)
          .filter(
            (at) =>
              at > 0 &&
              last.test(text[at - 1] ?? '') &&
              first.test(text[at] ?? '') &&
              topOf(at) - topOf(at - 1) > 4,
          )
          .map((at) => `${text.slice(0, at)}|${text.slice(at)}`);
      };
      return roots.flatMap((root) => {
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        for (let node = texts.nextNode(); node; node = texts.nextNode())
          found.push(...endsIn(node));
        return found;
      });
    },
    [before.source, after.source] as const,
  );
}

export const SIGN = /\p{Script=Han}/u;
/** Closing punctuation, which must not begin a line. */
export const CLOSING_MARK = /[，。、；：？！）”]/u;
