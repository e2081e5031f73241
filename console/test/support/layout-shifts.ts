/** Shifts of a page's layout, as the browser reports them. */
import type { Page } from 'playwright-core';

/** Smaller shifts, of a pixel or two, are not visible. */
const SHIFT_LEAST = 0.00005;

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRect;
    readonly currentRect: DOMRect;
  }[];
}

/** All shifts since the page began to load, with their size. */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript((least) => {
    const seen: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    const place = ({ x, y, width, height }: DOMRect): string =>
      [x, y, width, height].map(Math.round).join(' ');
    const describe = ({ node, previousRect, currentRect }: LayoutShift['sources'][number]) =>
      `${node?.textContent} ${place(previousRect)} -> ${place(currentRect)}`;
    const tell = ({ value, sources }: LayoutShift): string =>
      `${value}: ${sources.map(describe).join('; ')}`;
    Object.assign(window, {
      shifts: () =>
        ([...seen, ...observer.takeRecords()] as LayoutShift[])
          .filter(({ value }) => value > least)
          .map(tell),
    });
  }, SHIFT_LEAST);
  return () => page.evaluate(() => (window as unknown as { shifts: () => string[] }).shifts());
}

/** After two frames the browser has rendered and reported everything. */
export async function draw(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
