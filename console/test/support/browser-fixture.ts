/** What the browser tests of a file share: one running service, one browser, and windows on them. */
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../service/test/support/browser.ts';
import {
  type ServiceProcess,
  startService,
} from '../../../service/test/support/service-process.ts';
import { overview, type Person, signIn } from './user-flows.ts';
import { openWindow, type WatchedWindow } from './watched-page.ts';

export interface Stage {
  readonly service: ServiceProcess;
  open(options?: BrowserContextOptions): Promise<WatchedWindow>;
  /** Opens a window in which somebody is signed in and sees the overview. */
  openAs(person: Person, options?: BrowserContextOptions): Promise<WatchedWindow>;
}

const START_TIMEOUT_MS = 60_000;

/** Waits for all of them, also where one fails: what came of the others has to be ended. */
async function allDone(work: readonly (Promise<void> | undefined)[]): Promise<void> {
  for (const done of await Promise.allSettled(work))
    if (done.status === 'rejected') throw done.reason;
}

/** What a test answers in the service's place may still be under way when it is over. */
async function letGo({ page }: WatchedWindow): Promise<void> {
  if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** Starts both before the first test of the file, and ends them after the last one. */
export function startBrowserFixture(
  env: Readonly<Record<string, string>> = {},
  browserArguments: readonly string[] = [],
): Stage {
  let service: ServiceProcess | undefined;
  let browser: TestBrowser | undefined;
  const opened: WatchedWindow[] = [];
  beforeAll(async () => {
    const starts = [
      startService(env).then((started) => {
        service = started;
      }),
      openBrowser(browserArguments).then((opened) => {
        browser = opened;
      }),
    ];
    await allDone(starts);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await allDone(opened.map(letGo));
    await allDone([browser?.close(), service?.dispose()]);
  });
  const stage: Stage = {
    get service() {
      if (!service) throw new Error('the service is started before the first test, not before');
      return service;
    },
    async open(options) {
      if (!browser) throw new Error('the browser is opened before the first test, not before');
      const window = await openWindow(browser.browser, stage.service.baseUrl, options);
      opened.push(window);
      return window;
    },
    async openAs(person, options) {
      const window = await stage.open(options);
      await window.page.goto('/');
      await signIn(window.page, stage.service.baseUrl, person);
      await overview(window.page).waitFor();
      return window;
    },
  };
  return stage;
}

/** Closes a window in which nothing may have been complained of. */
export async function closeWithoutErrors(window: WatchedWindow): Promise<void> {
  const { context, consoleErrors: complaints } = window;
  await letGo(window);
  await context.close();
  expect(complaints).toEqual([]);
}
