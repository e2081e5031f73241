/**
 * The browser of the OpenID Foundation's conformance suite, for this service: the suite's own does
 * not read second factors from a mailbox. The suite publishes the addresses that a test waits for;
 * this program opens each in Chromium, signs in, answers, and reports the visit.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export interface DriverOptions {
  readonly browser: Browser;
  /** Of the suite, for example `https://localhost:8443`. */
  readonly suiteUrl: string;
  /** The development mailbox of the service: `http://127.0.0.1:PORT/dev/mail`. */
  readonly mailUrl: string;
  /** The host of the service's `BASE_URL`, which the mailbox wants to be asked by. */
  readonly mailHost: string;
  /** The user that signs in. */
  readonly email: string;
  readonly password: string;
}

interface Mail {
  readonly to: string;
  readonly text: string;
}

const STEPS_MAX = 40;
const STEP_MS = 500;

async function readJson<T>(url: string, init: RequestInit = {}): Promise<T> {
  const headers = { accept: 'application/json' };
  const response = await fetch(url, { ...init, headers });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as T;
}

/** The code of the newest mail to the user. */
async function readCode({ mailUrl, mailHost, email }: DriverOptions): Promise<string> {
  // The `Host` of a request is fixed in `fetch`.
  const request = get(mailUrl, { headers: { accept: 'application/json', host: mailHost } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const mails = (await json(response)) as Mail[];
  return /\b\d{6}\b/.exec(mails.find(({ to }) => to.includes(email))?.text ?? '')?.[0] ?? '';
}

/** Does what the page asks for, if anything. */
async function act(page: Page, options: DriverOptions): Promise<void> {
  const password = page.locator('input[name="password"]');
  if (await password.isVisible()) {
    await page.locator('input[name="email"]').fill(options.email);
    await password.fill(options.password);
    await page.keyboard.press('Enter');
    await password.waitFor({ state: 'hidden' });
    return;
  }
  const code = page.locator('input[autocomplete="one-time-code"]').first();
  if (await code.isVisible()) {
    const digits = await readCode(options);
    if (digits === '') return;
    await code.fill(digits);
    await code.waitFor({ state: 'hidden' });
    return;
  }
  for (const name of ['Allow', 'Sign out of your account']) {
    const button = page.getByRole('button', { name, exact: true });
    if (!(await button.isVisible())) continue;
    await button.click();
    return;
  }
}

/** Acts until the browser is back at the suite, or nothing more happens. */
async function visit(page: Page, options: DriverOptions): Promise<string> {
  for (let step = 0; step < STEPS_MAX && !page.url().startsWith(options.suiteUrl); step++) {
    await act(page, options);
    await page
      .waitForURL((at) => at.href.startsWith(options.suiteUrl), { timeout: STEP_MS })
      .catch(() => undefined);
  }
  return page.url();
}

/**
 * Uploads the page that a test wants to be looked at.
 * @returns true for an error, at which the visit ends; after a sign-in it continues
 */
async function uploadScreenshot(
  id: string,
  page: Page,
  { suiteUrl }: DriverOptions,
): Promise<boolean> {
  const path = `${suiteUrl}/api/log/${id}/images`;
  const images = await readJson<{ upload?: string }[]>(path);
  const wanted = images.find(({ upload }) => upload !== undefined)?.upload;
  if (wanted === undefined) return false;
  await page.getByRole('heading').first().waitFor();
  // The page after it is the one to look at.
  const signOut = page.getByRole('button', { name: 'Sign out of your account', exact: true });
  if (await signOut.isVisible()) {
    await signOut.click();
    await signOut.waitFor({ state: 'hidden' });
  }
  const picture = (await page.screenshot()).toString('base64');
  await fetch(`${path}/${wanted}`, { method: 'POST', body: `data:image/png;base64,${picture}` });
  return !(await page.locator('input[name="password"]').isVisible());
}

/** Serves one running test: a browser context of its own, as another person would have. */
async function serveTest(
  id: string,
  context: BrowserContext,
  done: Set<string>,
  options: DriverOptions,
): Promise<void> {
  const path = `${options.suiteUrl}/api/runner/browser/${id}`;
  const { urls } = await readJson<{ urls: string[] }>(path);
  for (const url of urls.filter((known) => !done.has(`${id} ${known}`))) {
    done.add(`${id} ${url}`);
    const page = await context.newPage();
    await page.goto(url);
    const isError = await uploadScreenshot(id, page, options);
    const end = isError ? url : await visit(page, options);
    console.log(`${id}: ${new URL(end).origin}${new URL(end).pathname}`);
    await fetch(`${path}/visit?${new URLSearchParams({ url })}`, { method: 'POST' });
    await page.close();
  }
}

/** Makes a function that serves all running tests once; call it again and again. */
export function createDriver(options: DriverOptions): () => Promise<void> {
  const contexts = new Map<string, BrowserContext>();
  const done = new Set<string>();
  return async () => {
    const running = await readJson<string[]>(`${options.suiteUrl}/api/runner/running`);
    for (const id of running) {
      // The suite lists tests that have ended, too.
      const test = await readJson<{ status: string }>(`${options.suiteUrl}/api/info/${id}`);
      if (test.status !== 'WAITING') continue;
      const context =
        contexts.get(id) ??
        (await options.browser.newContext({ ignoreHTTPSErrors: true, locale: 'en' }));
      contexts.set(id, context);
      await serveTest(id, context, done, options);
    }
  };
}

async function main(): Promise<void> {
  const { SUITE_URL, MAIL_URL, MAIL_HOST, EMAIL, PASSWORD, CHROMIUM } = process.env;
  if (!SUITE_URL || !MAIL_URL || !MAIL_HOST || !EMAIL || !PASSWORD || !CHROMIUM)
    throw new Error(
      'set SUITE_URL, MAIL_URL, MAIL_HOST, EMAIL, PASSWORD and CHROMIUM (see README.md)',
    );
  const browser = await chromium.launch({ executablePath: CHROMIUM });
  const drive = createDriver({
    ...{ browser, suiteUrl: SUITE_URL, mailUrl: MAIL_URL, mailHost: MAIL_HOST },
    ...{ email: EMAIL, password: PASSWORD },
  });
  for (;;) {
    await drive();
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

if (import.meta.main) await main();
