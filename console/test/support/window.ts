/** A window of the real browser in which everything that must never happen is written down. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface WatchedWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors, uncaught exceptions, policy violations and requests to other hosts, so far. */
  readonly complaints: string[];
}

const PHONE = { width: 390, height: 844 };

/** Opens a window on a service. */
export async function openWindow(browser: Browser, baseUrl: string, options: BrowserContextOptions = {}): Promise<WatchedWindow> {
  const context = await browser.newContext({ baseURL: baseUrl, locale: 'en-GB', viewport: PHONE, ...options });
  const complaints: string[] = [];
  const page = await context.newPage();
  await page.exposeFunction('reportViolation', (text: string) => complaints.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = (window as unknown as { reportViolation: (text: string) => void }).reportViolation;
      report(`${event.effectiveDirective} ${event.blockedURI} ${event.sample} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  page.on('console', (message) => {
    // A refused call is part of a flow; the browser logs it all the same.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== new URL(baseUrl).origin && !['data:', 'blob:'].includes(url.protocol)) complaints.push(`foreign host: ${request.url()}`);
  });
  return { context, page, complaints };
}

/** What axe finds wrong on the page, in words. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  // What is still moving into place has not its colours yet.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished),
    ),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`));
}

/** A fingerprint reader that always says yes. */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
