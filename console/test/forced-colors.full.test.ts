/**
 * With forced colours of the system, chart bars, selections and switches stay distinguishable;
 * measured by pixels.
 */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openPage } from './support/pages.ts';
import { seedAccount } from './support/seed-account.ts';

const stage = startBrowserFixture();
let page: Page;
/** Outside the console, whose policy forbids images of the test. */
let table: Page;

const PENDING = {
  id: 1,
  currency: 'USDT',
  currency_network: 'ETHEREUM',
  network_name: 'Ethereum',
  amount: '12',
  status: 'confirming',
  confirmations: 3,
  required_confirmations: 12,
  address: `0x${'a'.repeat(40)}`,
  tx_hash: `0x${'b'.repeat(64)}`,
  detected_at: new Date().toISOString(),
};

beforeAll(async () => {
  const seeded = await seedAccount(stage.service);
  page = (await stage.openAs(seeded.person, { forcedColors: 'active' })).page;
  table = (await stage.open()).page;
  await page.route('**/me/devices', async (route) => {
    const response = await route.fetch();
    const { devices } = (await response.json()) as { devices: object[] };
    const statuses = ['online', 'offline'];
    return route.fulfill({
      response,
      json: { devices: devices.map((device, at) => ({ ...device, status: statuses[at] })) },
    });
  });
  await page.route('**/deposit/records?*', (route) =>
    route.fulfill({ json: { records: [PENDING], total: 1, current: 1, size: 20 } }),
  );
});

interface Share {
  readonly colour: string;
  readonly share: number;
}

/** The colours of a picture, most frequent first, with their shares. */
async function coloursIn(picture: Buffer): Promise<Share[]> {
  return table.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    if (!context) throw new Error('nothing to draw on');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const counts = new Map<string, number>();
    for (let at = 0; at < data.length; at += 4) {
      const colour = data.slice(at, at + 3).join(' ');
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const total = data.length / 4;
    return [...counts]
      .map(([colour, count]) => ({ colour, share: count / total }))
      .sort((one, other) => other.share - one.share);
  }, picture.toString('base64'));
}

const coloursOf = async (thing: Locator): Promise<Share[]> => coloursIn(await thing.screenshot());

/** The colour in the middle, where no edge is. */
async function middleOf(thing: Locator): Promise<string> {
  const box = await thing.boundingBox();
  if (!box) throw new Error('it is not shown');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const clip = { x: Math.floor(x), y: Math.floor(y), width: 1, height: 1 };
  return (await coloursIn(await page.screenshot({ clip })))[0]?.colour ?? '';
}

async function groundOf(thing: Locator): Promise<string> {
  return (await coloursOf(thing))[0]?.colour ?? '';
}

describe.each(['light', 'dark'] as const)('in %s colours of the system', (colorScheme) => {
  test('bars, the chosen range and the current page are visible in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await openPage(page, '/');
    const bars = await coloursOf(page.locator('figure [class*=bars]'));
    expect(bars[1]?.share).toBeGreaterThan(0.1);
    const spans = page.getByRole('radiogroup').first().locator('label');
    const [chosen, other] = [
      spans.filter({ has: page.locator(':checked') }),
      spans.filter({ hasNot: page.locator(':checked') }).first(),
    ];
    expect(await groundOf(chosen)).not.toBe(await groundOf(other));
    const places = page.getByRole('navigation').getByRole('link');
    expect(await groundOf(places.nth(0))).not.toBe(await groundOf(places.nth(1)));
    // The background of the page, and the filled part.
    expect(
      (await coloursOf(page.locator('main ul [class*=meter]').first())).length,
    ).toBeGreaterThan(1);
  });

  test('online devices and active switches are visible in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await openPage(page, '/devices');
    const dots = page.locator('main li [class*=dot]');
    const [online, offline] = [
      page.locator('main li [data-status=online] > [class*=dot]'),
      page.locator('main li [data-status=offline] > [class*=dot]'),
    ];
    expect(await dots.count()).toBe(2);
    const ground = await groundOf(page.locator('main'));
    expect(await middleOf(online.first())).not.toBe(ground);
    expect(await middleOf(offline.first())).toBe(ground);
    const groundWithin = async (thing: Locator): Promise<number> =>
      (await coloursOf(thing)).find(({ colour }) => colour === ground)?.share ?? 0;
    const ring = (await coloursOf(offline.first())).filter(({ colour }) => colour !== ground);
    expect(ring.length).toBeGreaterThan(0);
    await page.locator('main li button').first().click();
    const track = page.locator('dialog [class*=track]');
    const on = await groundWithin(track);
    await page.getByRole('switch').click();
    await page.getByRole('switch').and(page.locator(':not(:checked)')).waitFor();
    expect(await groundWithin(track)).toBeGreaterThan(on + 0.1);
    expect((await coloursOf(track))[1]?.share).toBeGreaterThan(0.05);
    await page.getByRole('switch').click();
    await page.getByRole('switch').and(page.locator(':checked')).waitFor();
  });

  test('a deposit shows its progress, and a code to scan stays dark on white', async () => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await openPage(page, '/deposits');
    const meter = await coloursOf(page.getByRole('progressbar'));
    expect(meter.filter(({ share }) => share > 0.1).length).toBeGreaterThan(1);
    await openPage(page, '/devices/add');
    await page.getByRole('radio', { name: 'Linux and macOS' }).check();
    const code = (await coloursOf(page.getByRole('img', { name: 'Continue on your phone' }))).slice(
      0,
      2,
    );
    expect(code.map(({ colour }) => colour)).toEqual(['255 255 255', '16 20 18']);
  });
});
