/** A window of the real browser that records everything that must never happen. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { navigateAfterStepsBack } from './steps-back.ts';
import { watchRequests } from './watch-requests.ts';

export interface WatchedWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  /**
   * Console errors, uncaught exceptions, policy violations, requests to other hosts and refused
   * calls, so far.
   */
  readonly consoleErrors: string[];
  /** Removes a refusal that the test expects, such as `401 POST /user/login/2fa`. */
  expectRefused(call: string): void;
  /** Waits until no request is open except the event stream. */
  untilRequestsEnd(): Promise<void>;
  /** Closes the page, also while handlers of its routes are still running. */
  close(): Promise<void>;
}

/** Ends requests that hang; far above the time of a page on a busy machine. */
const WAIT_MS = 60_000;
const PHONE = { width: 390, height: 844 };

/**
 * No animations, so that a test never sees an intermediate state. A style sheet of the test is
 * exempt from the policy of the page.
 */
function stopMotion(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*, ::before, ::after, ::backdrop { transition: none !important; animation: none !important }',
  );
  document.adoptedStyleSheets.push(sheet);
}

export interface WindowOptions extends BrowserContextOptions {
  /** For tests of motion: animations as the page defines them. */
  readonly hasMotion?: boolean;
}

/** Opens a window on a service, without animations. */
export async function openWindow(
  browser: Browser,
  baseUrl: string,
  { hasMotion = false, ...options }: WindowOptions = {},
): Promise<WatchedWindow> {
  const reducedMotion = hasMotion ? 'no-preference' : 'reduce';
  const context = await browser.newContext({
    baseURL: baseUrl,
    locale: 'en-GB',
    viewport: PHONE,
    reducedMotion,
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  const consoleErrors: string[] = [];
  const page = await context.newPage();
  navigateAfterStepsBack(page);
  const untilRequestsEnd = watchRequests(page);
  if (!hasMotion) await page.addInitScript(stopMotion);
  await page.exposeFunction('reportViolation', (text: string) =>
    consoleErrors.push(`policy: ${text}`),
  );
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = (window as unknown as { reportViolation: (text: string) => void })
        .reportViolation;
      report(
        `${event.effectiveDirective} ${event.blockedURI} ${event.sample} ` +
          `${event.sourceFile}:${event.lineNumber}`,
      );
    });
  });
  page.on('console', (message) => {
    // The browser's message for the refused call, which is recorded by its name.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      consoleErrors.push(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400)
      consoleErrors.push(
        `refused: ${response.status()} ${response.request().method()} ${pathname}`,
      );
  });
  page.on('pageerror', (error) => consoleErrors.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== new URL(baseUrl).origin && !['data:', 'blob:'].includes(url.protocol))
      consoleErrors.push(`foreign host: ${request.url()}`);
  });
  return {
    context,
    page,
    consoleErrors,
    untilRequestsEnd,
    expectRefused(call) {
      const at = consoleErrors.indexOf(`refused: ${call}`);
      if (at < 0) throw new Error(`${call} was not refused; only: ${consoleErrors.join(', ')}`);
      consoleErrors.splice(at, 1);
    },
    async close() {
      if (!page.isClosed()) {
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await context.unrouteAll({ behavior: 'ignoreErrors' });
      }
      await context.close();
    },
  };
}

/**
 * Waits until no layer is open, on the page or in the history: the history entry of a layer is
 * removed a moment later, and that step back would abort a reload or navigation that begins in this
 * moment.
 */
export async function untilNothingIsOpen(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !document.querySelector('dialog[open]') &&
      !JSON.stringify(history.state).includes('edge-open'),
  );
}

/** The findings of axe about the page, as text. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  // Only this page, which has no frames: otherwise axe collects its findings in another page that
  // it opens each time.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.flatMap((violation) =>
    violation.nodes.map(
      (node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`,
    ),
  );
}

/** Resizes the screen, and waits two frames until the page is rendered for it. */
export async function resize(page: Page, width: number, height = 844): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/**
 * Elements wider than the screen or their dialog, as text: they would scroll horizontally or be
 * cut.
 */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const tell = (element: Element): string =>
      `${element.tagName} ${element.scrollWidth} > ${element.clientWidth}: ` +
      `${element.textContent?.slice(0, 60)}`;
    const frames = [document.documentElement, ...document.querySelectorAll('dialog[open]')].filter(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    );
    // A table, or a row of links, that scrolls in its container does not make the page scroll.
    const isScrolledInPlace = (element: Element): boolean => {
      const frame = element.closest('table')?.parentElement ?? element.closest('nav');
      return frame != null && getComputedStyle(frame).overflowX === 'auto';
    };
    // Visible to screen readers only.
    const isUnseen = (element: Element): boolean => {
      for (let at: Element | null = element; at; at = at.parentElement)
        if (getComputedStyle(at).clipPath !== 'none') return true;
      return false;
    };
    const outside = [
      ...document.querySelectorAll('main *, header *, nav *, dialog[open] *'),
    ].filter((element) => {
      if (isScrolledInPlace(element) || isUnseen(element)) return false;
      const { left, right, width } = element.getBoundingClientRect();
      return (
        width > 1 &&
        (left < -1 || right > innerWidth + 1) &&
        getComputedStyle(element).visibility !== 'hidden'
      );
    });
    return [...frames, ...outside].map(tell);
  });
}

/** Texts of which the end is hidden, as text. */
export function findCutOffTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main *, header *, nav *, dialog[open] *')]
      .filter((element) => {
        const { overflowX, clipPath } = getComputedStyle(element);
        return (
          ['hidden', 'clip'].includes(overflowX) &&
          // Visible to screen readers only.
          clipPath === 'none' &&
          element.scrollWidth > element.clientWidth + 1
        );
      })
      .map((element) => `${element.tagName}: ${element.textContent?.slice(0, 60)}`),
  );
}

/** Texts that overlap, as text. */
export function findOverlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Printed {
      readonly text: string;
      readonly element: Element;
      readonly box: DOMRect;
    }
    /** The visible part of a text that its container clips. */
    const cutOff = (whole: DOMRect, element: Element): DOMRect => {
      const frame = element.closest('dialog, main');
      let { left, right } = whole;
      for (let at: Element | null = element; at && at !== frame; at = at.parentElement) {
        if (getComputedStyle(at).overflowX === 'visible') continue;
        const edge = at.getBoundingClientRect();
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      }
      return new DOMRect(left, whole.top, Math.max(0, right - left), whole.height);
    };
    const root =
      document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body;
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const printed: Printed[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement;
      if (
        !element ||
        node.textContent?.trim() === '' ||
        !element.checkVisibility({ visibilityProperty: true })
      )
        continue;
      // Visible to screen readers only.
      const { clipPath, clip } = getComputedStyle(element);
      if (clipPath !== 'none' || clip !== 'auto') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const whole of range.getClientRects()) {
        const box = cutOff(whole, element);
        if (box.width > 2) printed.push({ text: node.textContent ?? '', element, box });
      }
    }
    // Line boxes touch each other; overlapping letters intersect deeper than that.
    const DEPTH = 4;
    const isOver = (one: DOMRect, other: DOMRect): boolean =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > DEPTH;
    return printed.flatMap((one, at) =>
      printed
        .slice(at + 1)
        .filter((other) => other.element !== one.element && isOver(one.box, other.box))
        .map((other) => `${one.text} / ${other.text}`),
    );
  });
}

/** In a window: its browser offers no passkey in the field of an address. */
function hideAutofill(): void {
  PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
}

/**
 * An authenticator whose user agrees to everything.
 * @param isAutofillChosen also to the passkey that autofill offers, at once: the sign-in page then
 *   signs in by itself
 */
export async function addVirtualAuthenticator(
  page: Page,
  { isAutofillChosen = false } = {},
): Promise<void> {
  if (!isAutofillChosen) await page.context().addInitScript(hideAutofill);
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
