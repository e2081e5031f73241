/**
 * The longest valid names without a space: they wrap anywhere, and no page scrolls horizontally.
 */
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import type { Device } from '../src/devices/queries.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { becomeOperator, confirmOperator } from './support/operator-journey.ts';
import { openPage } from './support/pages.ts';
import { openOperator, signUpByApi } from './support/seed.ts';
import { newPerson } from './support/user-flows.ts';
import {
  addVirtualAuthenticator,
  findOverflow,
  findOverlaps,
  resize,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
let page: Page;

function widest(length: number): string {
  return 'W'.repeat(length);
}

/** Names that users choose, by the fields of the responses. */
const NAMES: Readonly<Record<string, string>> = {
  name: widest(60),
  client_name: widest(60),
  nickname: widest(40),
  note: widest(20),
  description: widest(60),
  url: `https://${widest(60)}.example/${widest(120)}`,
  user_agent: widest(80),
  network_name: widest(60),
};
const ANSWERS =
  /\/(me|me\/(devices|second-factors|connections|sessions)|community\/members|operator\/(users|chains|webhooks)|currencies|deposit\/records)(\?.*)?$/;
const LONG_AGO = '2026-11-20T00:00:00Z';
const DEVICE: Device = {
  node_id: 'node-1',
  name: widest(60),
  device_type: 'TERMINAL',
  browser: widest(60),
  extension_version: '1.4.2',
  os: widest(60),
  timezone: 'Europe/Berlin',
  status: 'offline',
  status_reason: 'nothing was heard',
  status_reason_code: 'silent',
  status_since: LONG_AGO,
  granted_categories: [widest(60)],
  requested_categories: [],
  capabilities: [widest(60)],
  traffic_gb: '0',
  created_at: LONG_AGO,
  last_seen_at: LONG_AGO,
};
const CONNECTION = {
  client_id: 'weather',
  client_name: '',
  first_party: false,
  scopes: [],
  created_at: LONG_AGO,
};

function rename(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rename);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string' ? (NAMES[key] ?? inner) : rename(inner),
    ]),
  );
}

async function answer(route: Route): Promise<void> {
  if (route.request().resourceType() !== 'fetch' || route.request().method() !== 'GET')
    return route.continue();
  const response = await route.fetch();
  if (!response.ok()) return route.fulfill({ response });
  const body = (await response.json()) as object;
  const added = {
    ...('connections' in body && { connections: [CONNECTION] }),
    ...('devices' in body && { devices: [DEVICE] }),
  };
  return route.fulfill({
    response,
    json: rename(Array.isArray(body) ? body : { ...body, ...added }),
  });
}

beforeAll(async () => {
  const { baseUrl } = stage.service;
  page = (await stage.open()).page;
  await addVirtualAuthenticator(page);
  const person = await becomeOperator(page, stage.service);
  const operator = await openOperator(stage.service);
  await page.goto('/people');
  const referralCode = (await page.locator('code').first().textContent()) ?? '';
  await signUpByApi(baseUrl, newPerson('Grace'), referralCode);
  await expectOk(`${baseUrl}/operator/webhooks`, {
    token: operator.token,
    body: { url: 'https://hooks.example', description: 'Books', event_types: ['deposit.*'] },
  });
  await confirmOperator(page, person);
  await page.route(ANSWERS, answer);
});

/**
 * A page, and the buttons that are pressed there in order, within the open layer or on the page.
 */
const PLACES: readonly { readonly path: string; readonly presses: readonly RegExp[] }[] = [
  { path: '/', presses: [] },
  { path: '/devices', presses: [/W{60}/] },
  { path: '/devices', presses: [/W{60}/, /^Disconnect$/] },
  { path: '/devices', presses: [/W{60}/, /^Delete$/] },
  { path: '/people', presses: [] },
  { path: '/people', presses: [/: W{20}$/] },
  { path: '/security', presses: [] },
  { path: '/security', presses: [/^Remove.* W/] },
  { path: '/security', presses: [/^Disconnect.* W/] },
  { path: '/operator?view=users', presses: [] },
  { path: '/operator?view=users', presses: [/^Disable/] },
  { path: '/operator?view=chains', presses: [] },
  { path: '/operator?view=chains', presses: [/W{60}/] },
  { path: '/operator?view=webhooks', presses: [] },
  { path: '/operator?view=webhooks', presses: [/^Details/] },
];

// A page is loaded once and then narrowed and widened: the layout has to be right after a resize,
// too, and loading takes most of the time.
const WIDTHS = [320, 1280] as const;

describe.each(PLACES)('$path $presses', ({ path, presses }) => {
  beforeAll(async () => {
    await resize(page, WIDTHS[1]);
    await openPage(page, path);
    await page.locator('main').getByText(/W{20}/).first().waitFor();
    for (const name of presses) {
      const dialog = page.locator('dialog[open]');
      const frame = (await dialog.count()) > 0 ? dialog : page.locator('main');
      await frame.getByRole('button', { name }).first().click();
    }
  });

  test.each(WIDTHS)('at %i pixels', async (width) => {
    await resize(page, width);
    expect(await findOverflow(page)).toEqual([]);
    expect(await findOverlaps(page)).toEqual([]);
  });
});
