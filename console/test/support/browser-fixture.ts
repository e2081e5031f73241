/**
 * The fixture that browser tests of a file share: one running service, one browser, and its
 * windows.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Database } from '../../../service/src/db/index.ts';
import { setOperatorGrants } from '../../../service/src/identity/index.ts';
import { systemClock } from '../../../service/src/lib/clock.ts';
import { createFirstOperator, OPERATOR_SCOPES } from '../../../service/src/oidc/index.ts';
import { shareBrowser } from '../../../service/test/support/browser.ts';
import { openTestDatabase, RUN_ENGINES } from '../../../service/test/support/databases.ts';
import {
  type RunningService,
  startService,
} from '../../../service/test/support/running-service.ts';
import { overview, type Person, signIn } from './user-flows.ts';
import { openWindow, type WatchedWindow, type WindowOptions } from './watched-page.ts';

/** A service and the folder with its operator's client. */
export interface StageService {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** For steps that otherwise take days. */
  readonly database: Database;
  /** Gives a user operator scopes, like the command line. */
  grantOperator(email: string, grants?: readonly string[]): Promise<void>;
}

export interface Stage {
  readonly service: StageService;
  open(options?: WindowOptions): Promise<WatchedWindow>;
  /** Opens a window with a signed-in user at the overview. */
  openAs(person: Person, options?: WindowOptions): Promise<WatchedWindow>;
}

interface StartedService extends StageService {
  dispose(): Promise<void>;
}

/** Waits for all, also if one fails, because the results of the others must be closed. */
async function allDone(work: readonly (Promise<void> | undefined)[]): Promise<void> {
  for (const done of await Promise.allSettled(work))
    if (done.status === 'rejected') throw done.reason;
}

/** The whole service in this process, on an empty database of the engine of this run. */
async function startOnStage(env: Readonly<Record<string, string>>): Promise<StartedService> {
  const [engine = 'server'] = RUN_ENGINES;
  const dataDir = mkdtempSync(join(tmpdir(), 'edge-account-stage-'));
  const database: Database = await openTestDatabase(engine);
  const service: RunningService = await startService(database, { env });
  await createFirstOperator(database, systemClock, dataDir);
  return {
    baseUrl: service.baseUrl,
    dataDir,
    database,
    async grantOperator(email, grants = OPERATOR_SCOPES) {
      const isKnown = await setOperatorGrants(database, systemClock, email, grants);
      if (!isKnown) throw new Error(`there is no account with the address ${email}`);
    },
    async dispose() {
      await service.stop();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts both before the first test of the file, and ends the service after the last one. */
export function startBrowserFixture(
  env: Readonly<Record<string, string>> = {},
  browserArguments: readonly string[] = [],
): Stage {
  let service: StartedService | undefined;
  let browser: Browser | undefined;
  const opened: WatchedWindow[] = [];
  beforeAll(async () => {
    const starts = [
      startOnStage(env).then((started) => {
        service = started;
      }),
      shareBrowser(browserArguments).then((shared) => {
        browser = shared;
      }),
    ];
    await allDone(starts);
  });
  afterAll(async () => {
    await allDone(opened.map((window) => window.close()));
    await service?.dispose();
  });
  const stage: Stage = {
    get service() {
      if (!service) throw new Error('the service is started before the first test, not before');
      return service;
    },
    async open(options) {
      if (!browser) throw new Error('the browser is opened before the first test, not before');
      const window = await openWindow(browser, stage.service.baseUrl, options);
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

/** Closes a window that must have no errors. */
export async function closeWithoutErrors({ close, consoleErrors }: WatchedWindow): Promise<void> {
  await close();
  expect(consoleErrors).toEqual([]);
}
