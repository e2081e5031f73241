/**
 * The browser extension in a real browser. The Chromium inside the npm package takes no extensions,
 * so this needs an installed one.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { unzipSync } from 'fflate';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { texts as spanish } from '../../../extension/src/texts/es.ts';
import { signInAndAllow } from '../demo/get-standard-tokens.ts';
import { call, expectOk } from '../demo/http-client.ts';
import { type LivePerson, signUp } from '../support/live-person.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';

const CANDIDATES = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
];
const executablePath = CANDIDATES.find((path) => path !== '' && existsSync(path));

if (executablePath === undefined)
  console.warn(
    'SKIPPED: no Chromium is installed for the extension (CHROMIUM_PATH, /usr/bin/chromium)',
  );

describe.skipIf(executablePath === undefined)('the extension', () => {
  let service: ServiceProcess;
  let person: LivePerson;
  let context: BrowserContext;
  let popup: Page;
  const folder = mkdtempSync(join(tmpdir(), 'edge-extension-'));

  beforeAll(async () => {
    service = await startService({ LOG_LEVEL: 'error', DEVICES_PER_USER: '1' });
    person = await signUp(service.baseUrl);
    const built = join(folder, 'built');
    // As a person gets it, and unpacks it.
    const answer = await fetch(`${service.baseUrl}/edge-extension.zip`);
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(built, path)), { recursive: true });
      writeFileSync(join(built, path), content);
    }
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      ...(executablePath !== undefined && { executablePath }),
      headless: false,
      args: [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        `--disable-extensions-except=${built}`,
        `--load-extension=${built}`,
      ],
    });
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    popup = await context.newPage();
    await popup.goto(worker.url().replace('background.js', 'popup.html'));
  }, 180_000);
  afterAll(async () => {
    await context?.close();
    await service?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const devices = async () =>
    (
      await expectOk<{
        devices: { node_id: string; status: string; device_type: string; os: string }[];
      }>(`${service.baseUrl}/me/devices`, {
        token: person.accessToken,
      })
    ).devices;

  /** Any page can open the redirect URI in a tab: without the state it has no effect. */
  async function followForeignAnswer(page: Page): Promise<void> {
    await page.waitForURL(/interaction_id=/);
    const other = await context.newPage();
    await other
      .goto('http://127.0.0.1/edge-extension?error=access_denied&state=guessed')
      .catch(() => {});
    await other.close();
  }

  /** The tab shows the whole sign-in, or only the consent if the browser is signed in already. */
  async function signIn(isKnown: boolean, outcome = 'Online.'): Promise<void> {
    const opened = context.waitForEvent('page');
    await popup.getByRole('button', { name: 'Sign in' }).click();
    const page = await opened;
    await followForeignAnswer(page);
    const closed = page.waitForEvent('close');
    // The last click closes the page during the click.
    const allowed = isKnown
      ? page.getByRole('button', { name: 'Allow' }).click()
      : signInAndAllow(page, { baseUrl: service.baseUrl }, person);
    await allowed.catch((error: unknown) => {
      if (!page.isClosed()) throw error;
    });
    await closed;
    await popup.getByText(outcome).waitFor();
  }

  test('signs in on a tab, obeys a disconnect, returns as the same device', async () => {
    await popup.getByText('Not signed in.').waitFor();
    await signIn(false);
    const [device] = await devices();
    expect(device).toMatchObject({
      device_type: 'EXTENSION',
      status: 'online',
      os: { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }[process.platform as string],
    });
    expect(device?.node_id).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const dashboard = popup.getByRole('link', { name: 'Earnings and devices' });
    expect(await dashboard.getAttribute('href')).toBe(`${service.baseUrl}/`);
    // No zero promises what this network does not pay.
    await popup.getByText('This network has not started paying rewards yet.').waitFor();
    expect(await popup.getByText('Earned today').isVisible()).toBe(false);
    const { violations } = await new AxeBuilder({ page: popup }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);

    await call(`${service.baseUrl}/me/devices/${device?.node_id}/disconnect`, {
      method: 'POST',
      token: person.accessToken,
      body: {},
    });
    await popup.getByText('Stopped: this device was disconnected or deleted.').waitFor();
    expect(await devices()).toMatchObject([{ status: 'disconnected' }]);

    await signIn(true);
    expect(await devices()).toMatchObject([{ node_id: device?.node_id, status: 'online' }]);
  });

  test('shows why it may not register, and continues once it may', async () => {
    const post = (path: string) =>
      call(`${service.baseUrl}/me/devices/${path}`, {
        method: 'POST',
        token: person.accessToken,
        body: {},
      });
    const [own] = await devices();
    await post(`${own?.node_id}/delete`);
    await popup.getByText('Stopped: this device was disconnected or deleted.').waitFor();
    await call(`${service.baseUrl}/me/devices/another`, {
      method: 'PUT',
      token: person.deviceToken,
      body: { device_type: 'TERMINAL' },
    });
    await signIn(true, 'Trying again: the account has as many devices as it may have.');
    await post('another/delete');
    await popup.getByText('Online.').waitFor();
    expect(await devices()).toMatchObject([{ node_id: own?.node_id, status: 'online' }]);
  });

  test('signs in on each of two tabs, and a sign-out revokes its grants', async () => {
    const refreshToken = () =>
      popup.evaluate(
        'chrome.storage.local.get("tokens").then(({ tokens }) => tokens.refreshToken)',
      ) as Promise<string>;
    const isAlive = async (token: string) => {
      const form = new URLSearchParams({ token, client_id: 'edge-extension' });
      return (
        (await (
          await fetch(`${service.baseUrl}/oauth2/introspect`, { method: 'POST', body: form })
        ).json()) as { active: boolean }
      ).active;
    };
    const signOut = async () => {
      await popup.getByRole('button', { name: 'Sign out' }).click();
      await popup.getByText('Not signed in.').waitFor();
    };
    const openTab = async () => {
      const opened = context.waitForEvent('page');
      // The popup of a device that is signed in offers no further sign-in.
      await popup.evaluate("chrome.runtime.sendMessage({ type: 'sign-in' })");
      return opened;
    };
    const allow = async (page: Page) => {
      await page.bringToFront();
      const closed = page.waitForEvent('close');
      await page
        .getByRole('button', { name: 'Allow' })
        .click()
        .catch(() => {});
      await closed;
      await popup.getByText('Online.').waitFor();
    };
    const before = await refreshToken();
    expect(await isAlive(before)).toBe(true);
    await signOut();
    expect(await isAlive(before)).toBe(false);

    const [older, newer] = [await openTab(), await openTab()];
    await allow(older);
    const first = await refreshToken();
    await allow(newer);
    // The tab closes before its code is redeemed, and the popup was online all the time.
    await expect.poll(refreshToken).not.toBe(first);
    const second = await refreshToken();
    await expect.poll(() => isAlive(first)).toBe(false);
    expect(await isAlive(second)).toBe(true);
    await popup.getByText('Online.').waitFor();

    // Chrome ends the worker before it has revoked the tokens of an earlier sign-in.
    await popup.evaluate(
      `chrome.storage.local.get('tokens').then(({ tokens }) =>
        chrome.storage.local.set({ revoking: [tokens] }))`,
    );
    const session = await context.newCDPSession(popup);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await popup.getByText('Stopped').waitFor();
    expect(await isAlive(second)).toBe(false);
    const left = popup.evaluate('chrome.storage.local.get("revoking")');
    expect(await left).toEqual({ revoking: [] });
    await popup.evaluate('chrome.storage.local.remove("ended")');
    await popup.getByText('Not signed in.').waitFor();
  });

  test('shows what it earned where the network pays', async () => {
    const status = {
      state: 'online',
      isPaying: true,
      earned: { currency: 'EDGE', today: '0', yesterday: '1.5' },
    };
    const page = await context.newPage();
    await page.addInitScript(
      `chrome.runtime.sendMessage = async () => (${JSON.stringify(status)})`,
    );
    await page.goto(popup.url());
    await page.getByText('Earned today').waitFor();
    await page.getByText('0.00 EDGE').waitFor();
    await page.getByText('1.50 EDGE').waitFor();
    expect(await page.locator('#not-paying').isVisible()).toBe(false);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.close();
  });

  test('speaks the language of the browser', async () => {
    const page = await context.newPage();
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'languages', { get: () => ['es-MX', 'en'] }),
    );
    await page.goto(popup.url());
    await page.getByText(spanish.signedOut).waitFor();
    await page.getByRole('button', { name: spanish.signIn }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es-MX');
    await page.close();
  });

  test('has the name, accent and logo of the network, also when the service is away', async () => {
    const brand = {
      name: 'Acme Network',
      accent: '#7a1fa2',
      logo: { path: '/brand/logos/none', width: 10, height: 10 },
      sign_in_text: {},
    };
    const page = await context.newPage();
    await page.route('**/brand', (route) => route.fulfill({ json: brand }));
    await page.goto(popup.url());
    await page.getByRole('heading', { name: 'Acme Network' }).waitFor();
    const accent = () =>
      page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--mark')");
    expect(await accent()).toBe('#7a1fa2');
    expect(await page.locator('header svg').isVisible()).toBe(false);
    expect(await page.locator('#logo img').getAttribute('src')).toBe(
      `${service.baseUrl}/brand/logos/none`,
    );
    await page.route('**/brand', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'Acme Network' }).waitFor();
    expect(await accent()).toBe('#7a1fa2');
    // The operator has taken it back.
    await page.unrouteAll();
    await page.reload();
    await page.getByRole('heading', { name: 'Edge Account' }).waitFor();
    expect(await page.locator('header svg').isVisible()).toBe(true);
    expect(await accent()).toBe('#0c7349');
    await page.close();
  });

  test('has access to its service and to where a sign-in returns, and sees no other page', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'built', 'manifest.json'), 'utf8')) as {
      host_permissions: string[];
      permissions: string[];
    };
    expect(manifest.host_permissions).toEqual([`${service.baseUrl}/*`, 'http://127.0.0.1/*']);
    expect(manifest.permissions.sort()).toEqual(['alarms', 'storage']);
  });

  test('stores its key so that it cannot be exported', async () => {
    const keys = await popup.evaluate(`(async () => {
      const open = indexedDB.open('edge-device', 1);
      await new Promise((resolve) => open.addEventListener('success', resolve));
      const get = open.result.transaction('keys').objectStore('keys').get('device');
      await new Promise((resolve) => get.addEventListener('success', resolve));
      return { isExtractable: get.result.privateKey.extractable };
    })()`);
    expect(keys).toEqual({ isExtractable: false });
  });
});
