import type { Page } from 'playwright-core';

/**
 * Controls that a finger misses, as text: below 44 pixels where they stand alone, below 24 where
 * they are a part of a text. What is hit belongs to a control also beyond what is drawn of it.
 */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ALONE = 44;
    const IN_TEXT = 24;
    const root = document.querySelector('dialog[open]') ?? document.body;
    const controls = [
      ...root.querySelectorAll<HTMLElement>('a[href], button, input, select, summary'),
    ].filter((control) =>
      control.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
    );
    /** The label of a field, or a control in another, is hit in its place. */
    const belongs = (hit: Element | null, control: HTMLElement): boolean =>
      hit !== null &&
      (control.contains(hit) ||
        (hit.closest('label') === control.closest('label') && control.closest('label') !== null) ||
        (hit.closest('label')?.getAttribute('for') === control.id && control.id !== ''));
    /** How far a finger may be from the middle of a control, in a direction. */
    const reach = (control: HTMLElement, dx: number, dy: number): number => {
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      let steps = 0;
      const isHit = (far: number): boolean =>
        belongs(document.elementFromPoint(x + dx * far, y + dy * far), control);
      while (steps < ALONE && isHit(steps + 1)) steps++;
      return steps;
    };
    /** Amid words, or beside the figure that it is about. */
    const isInText = (control: HTMLElement): boolean => {
      if (!getComputedStyle(control).display.startsWith('inline')) return false;
      if (control.matches('[class*=switch]')) return true;
      return [...(control.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      );
    };
    return controls.flatMap((control) => {
      control.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = control.getBoundingClientRect();
      // For screen readers only, like the link over the navigation.
      if (width < 2 || height < 2 || top < 0 || top > innerHeight) return [];
      const [x, y] = [left + width / 2, top + height / 2];
      if (!belongs(document.elementFromPoint(x, y), control)) return [];
      const across = reach(control, -1, 0) + reach(control, 1, 0) + 1;
      const down = reach(control, 0, -1) + reach(control, 0, 1) + 1;
      const least = isInText(control) ? IN_TEXT : ALONE;
      // Half a pixel at each edge is lost in the counting.
      if (Math.min(across, down) >= least - 1) return [];
      const name = control.getAttribute('aria-label') ?? control.textContent ?? '';
      return [`${control.tagName} ${across}×${down} < ${least}: ${name.trim().slice(0, 60)}`];
    });
  });
}
