/** The focus as a screen reader describes it. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until the element has the focus; the error describes the focused one. */
export async function expectFocus(page: Page, expected: Locator): Promise<void> {
  const found = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      const label =
        element?.getAttribute('aria-label') ??
        (element as HTMLInputElement | null)?.labels?.[0]?.textContent;
      return `${element?.tagName} ${label ?? element?.textContent?.slice(0, 60)}`;
    });
  try {
    await expected.and(page.locator(':focus')).waitFor({ timeout: 5000 });
  } catch {
    expect(await found(), 'what has the focus').toBe(String(expected));
  }
}

/** Waits until a field has the focus, is marked as invalid, and is described by these words. */
export async function expectWrong(page: Page, field: Locator, words: string): Promise<void> {
  const describe = async (): Promise<string> => {
    const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
    return page.evaluate(
      (all) => all.map((id) => document.getElementById(id)?.textContent).join(' '),
      ids,
    );
  };
  // When a form is sent from within the field, the focus is there before the response arrives.
  await expect.poll(describe, { timeout: 5000 }).toContain(words);
  await expectFocus(page, field);
  expect(await field.getAttribute('aria-invalid')).toBe('true');
}

/**
 * Refuses the next request with this method and path. The page may read the same path at any time:
 * other methods are not refused.
 */
export async function refuseOnce(
  page: Page,
  operation: `${'DELETE' | 'GET' | 'POST' | 'PUT'} **/${string}`,
  status: number,
  code: string,
): Promise<void> {
  const [method, path = ''] = operation.split(' ');
  const answer = {
    status,
    contentType: 'application/problem+json',
    body: JSON.stringify({ status, code }),
  };
  let isRefused = false;
  await page.route(path, (route) => {
    if (isRefused || route.request().method() !== method) return route.fallback();
    isRefused = true;
    return route.fulfill(answer);
  });
}
