import type { Page } from 'playwright-core';

/** Far above the moment that it takes. */
const WAIT_MS = 5000;

/**
 * Lets a page finish its step back before it goes to another address. A layer that was closed takes
 * its entry off the history a moment later, and that step would abort a navigation that begins
 * meanwhile. A person is not as fast.
 */
export function navigateAfterStepsBack(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const untilStepped = async (): Promise<void> => {
    const isStepped = (): boolean =>
      document.querySelector('dialog[open]') !== null ||
      !JSON.stringify(history.state).includes('edge-open');
    await page.waitForFunction(isStepped, undefined, { timeout: WAIT_MS }).catch(() => {});
  };
  page.goto = async (...args) => {
    await untilStepped();
    return goto(...args);
  };
  page.reload = async (...args) => {
    await untilStepped();
    return reload(...args);
  };
}
