/** How Chinese stands on lines. Machines that test lack a Chinese font. */
import type { Locator, Page } from 'playwright-core';

/**
 * Boxes drawn in place of missing signs are narrow: made as wide as a sign is, in what the selector
 * names.
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

/** Ends of lines within texts, `|` where, between signs that the two patterns describe. */
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
/** Marks that end what stands before them, and begin no line. */
export const CLOSING_MARK = /[，。、；：？！）”]/u;
