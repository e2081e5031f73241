/** Operators set the brand with a preview, and people see it on the sign-in page. */
import { createAccentShades } from '@edge-account/sdk/accent';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { pngOf } from '../../service/test/support/images.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { draw, watchShifts } from './support/layout-shifts.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { type Operator, openOperator } from './support/seed.ts';
import { texts } from './support/texts.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  findOverflow,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture({ MAIL_SENDERS: 'hello@acme.example' });
const { brand, view } = texts.operator;
const PALE = '#fff3b0';
const SHADES = createAccentShades(PALE);
const THEMES = ['light', 'dark'] as const;
let window: WatchedWindow;
let page: Page;

const readBrand = async (): Promise<Record<string, unknown>> =>
  (await fetch(`${stage.service.baseUrl}/brand`)).json() as Promise<Record<string, unknown>>;
const preview = (theme: (typeof THEMES)[number]) => page.locator(`[data-preview=${theme}]`);
const field = (label: string) => page.getByLabel(label, { exact: true });
const filePicker = (label: string) => page.locator('label').filter({ hasText: label });

function toHex(color: string): string {
  const parts = color.match(/\d+/g) ?? [];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}
/** Of text and background, as the browser computes them. */
const colorsOf = async (locator: Locator): Promise<[string, string]> => {
  const [text, ground] = await locator.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    return [color, backgroundColor] as const;
  });
  return [toHex(text), toHex(ground)];
};

async function openForm(): Promise<void> {
  await page.goto('/operator?view=brand');
  await field(brand.name).waitFor();
}

async function save(): Promise<void> {
  // The word of an earlier one may still be there.
  const answered = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.ok(),
  );
  await page.getByRole('button', { name: brand.save }).click();
  await answered;
  await page.getByText(brand.saved).first().waitFor();
}

beforeAll(async () => {
  window = await stage.open({ viewport: { width: 1440, height: 1000 } });
  page = window.page;
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, stage.service);
  return () => closeWithoutErrors(window);
});

test('the preview shows a draft in light and dark, and nothing is set', async () => {
  await page.getByRole('link', { name: view.brand, exact: true }).click();
  await field(brand.name).fill('Acme Network');
  for (const theme of THEMES)
    expect(await preview(theme).getByText('Acme Network').count()).toBeGreaterThan(1);
  expect(await page.getByText(brand.ownAccent).count()).toBe(2);
  await field(brand.accent).fill(PALE);
  for (const theme of THEMES) {
    const button = preview(theme).getByText(texts.signIn.submit, { exact: true }).last();
    await expect
      .poll(() => colorsOf(button))
      .toEqual([SHADES[theme].onFilled, SHADES[theme].filled]);
  }
  await page.getByText(`shown as ${SHADES.light.filled}`).waitFor();
  await page.getByText(brand.kept.split('{{')[0] ?? '').waitFor();
  await field(brand.address).selectOption('hello@acme.example');
  await preview('dark').getByText('From: Acme Network <hello@acme.example>').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await readBrand()).toEqual({ name: 'Edge Account', sign_in_text: {} });
});

test('what cannot be set is said beside its field', async () => {
  await field(brand.accent).fill('#12');
  await page.getByText(brand.accentInvalid).waitFor();
  await field(brand.accent).fill(PALE);
  await field(brand.support).fill('javascript:alert(1)');
  await page.getByRole('button', { name: brand.save }).click();
  await expect.poll(() => field(brand.support).getAttribute('aria-invalid')).toBe('true');
  window.expectRefused('400 PUT /operator/brand');
  const picker = filePicker(brand.chooseLogo).locator('input');
  const name = 'logo.png';
  const mimeType = 'image/png';
  await picker.setInputFiles({ name, mimeType, buffer: Buffer.alloc(70_000) });
  await page.getByText(brand.logoTooLarge).waitFor();
  await picker.setInputFiles({ name, mimeType, buffer: Buffer.from('<svg/>') });
  await page.getByText(brand.logoUnknown).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

test('a text that is too long is kept and said, and a draft outlives its page', async () => {
  const long = 'Acme Network of the Northern Hemisphere Ltd';
  await field(brand.name).fill(long);
  await page.getByText('3 characters too many.').waitFor();
  await page.getByRole('button', { name: brand.save }).click();
  await page.getByText(brand.limit_other.replace('{{count}}', '40')).last().waitFor();
  expect(await field(brand.name).inputValue()).toBe(long);
  await page.getByRole('link', { name: view.rules, exact: true }).click();
  await page.getByRole('link', { name: view.brand, exact: true }).click();
  expect(await field(brand.name).inputValue()).toBe(long);
  await page.getByText(brand.unsaved).waitFor();
  await page.getByRole('button', { name: brand.discard }).click();
  expect(await field(brand.name).inputValue()).toBe('');
  await field(brand.name).fill('Acme Network');
  await field(brand.accent).fill(PALE);
  await field(brand.address).selectOption('hello@acme.example');
});

test('a saved brand is on the page of the operator at once', async () => {
  const upload = (label: string, buffer: Buffer) =>
    filePicker(label)
      .locator('input')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await upload(brand.chooseLogo, pngOf(96, 48));
  await preview('light').locator('img').waitFor();
  await upload(brand.chooseDarkLogo, pngOf(48, 48, 0xff_f3_b0));
  await field(brand.support).fill('https://help.acme.example');
  await field('Text on the sign-in page (English)').fill('Welcome to Acme.');
  await page.getByRole('radio', { name: '中文' }).check({ force: true });
  await field('Text on the sign-in page (中文)').fill('欢迎使用 Acme。');
  await save();
  await expect.poll(() => page.title()).toBe('Operator · Acme Network');
  await page.locator('header img').waitFor();
  await page.mouse.move(0, 0);
  const [, ground] = await colorsOf(page.getByRole('button', { name: brand.save }));
  expect(ground).toBe(SHADES.light.filled);
  expect(await readBrand()).toMatchObject({ name: 'Acme Network', accent: PALE });
  await openForm();
  expect(await field(brand.accent).inputValue()).toBe(PALE);
  expect(await page.getByRole('button', { name: brand.removeDarkLogo }).count()).toBe(1);
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

describe.each(THEMES)('the sign-in page in %s', (colorScheme) => {
  test.each([320, 1440])('has the brand at %i px, and nothing moves', async (width) => {
    const viewport = { width, height: 800 };
    const opened = await stage.open({ viewport, colorScheme });
    const shifts = await watchShifts(opened.page);
    await opened.page.goto('/');
    await opened.page.getByRole('heading', { name: texts.signIn.title }).waitFor();
    expect(await opened.page.title()).toBe('Sign in · Acme Network');
    const logo = opened.page.locator('header img');
    await expect
      .poll(() => logo.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(colorScheme === 'light' ? 96 : 48);
    await opened.page.getByText('Welcome to Acme.').waitFor();
    const help = opened.page.getByRole('link', { name: texts.signIn.help });
    expect(await help.getAttribute('href')).toBe('https://help.acme.example/');
    const button = opened.page.getByRole('button', { name: texts.signIn.submit });
    const { filled, onFilled } = SHADES[colorScheme];
    expect(await colorsOf(button)).toEqual([onFilled, filled]);
    await draw(opened.page);
    expect(await shifts()).toEqual([]);
    expect(await findOverflow(opened.page)).toEqual([]);
    expect(await findAccessibilityProblems(opened.page)).toEqual([]);
    await closeWithoutErrors(opened);
  });

  test('the page of an error that an application caused has the brand, too', async () => {
    const opened = await stage.open({ viewport: { width: 320, height: 800 }, colorScheme });
    await opened.page.goto('/oauth2/authorize?client_id=unknown');
    opened.expectRefused('400 GET /oauth2/authorize');
    const logo = opened.page.locator('header img');
    const width = logo.evaluate((image) => (image as HTMLImageElement).naturalWidth);
    expect(await width).toBe(colorScheme === 'light' ? 96 : 48);
    const [color] = await colorsOf(opened.page.locator('main a'));
    expect(color).toBe(SHADES[colorScheme].filled);
    expect(await opened.page.locator('header').textContent()).toBe('Acme Network');
    expect(await findOverflow(opened.page)).toEqual([]);
    expect(await findAccessibilityProblems(opened.page)).toEqual([]);
    await closeWithoutErrors(opened);
  });

  test('has accent and name before its script runs', async () => {
    const opened = await stage.open({ colorScheme });
    await opened.page.route('**/*.js', () => {});
    await opened.page.goto('/authorize?interaction_id=x', { waitUntil: 'commit' });
    const read = () =>
      opened.page.evaluate(() => {
        const probe = document.createElement('span');
        probe.className = 'probe';
        document.body.append(probe);
        probe.style.color = 'var(--filled)';
        return getComputedStyle(probe).color;
      });
    await expect.poll(async () => toHex(await read())).toBe(SHADES[colorScheme].filled);
    expect(await opened.page.title()).toBe('Acme Network');
    await opened.close();
  });
});

test('the texts are in the language of the reader', async () => {
  const opened = await stage.open({ locale: 'zh-CN' });
  await opened.page.goto('/');
  await opened.page.getByText('欢迎使用 Acme。').waitFor();
  await closeWithoutErrors(opened);
});

describe('where another operator has saved the brand meanwhile', () => {
  const signInText = 'Text on the sign-in page (English)';
  let other: Operator;
  beforeAll(async () => {
    other = await openOperator(stage.service);
  });
  /** By a program, without If-Match. */
  const change = (name: string) =>
    expectOk(`${other.baseUrl}/operator/brand`, {
      ...{ method: 'PUT', token: other.token },
      body: { name, accent: PALE, sign_in_text: { en: 'Welcome to Acme.' } },
    });
  const choice = (name: string) => page.getByRole('button', { name, exact: true });
  const tryToSave = async (): Promise<void> => {
    await choice(brand.save).click();
    await page.getByRole('alert').getByText(brand.changedLead).waitFor();
    window.expectRefused('412 PUT /operator/brand');
  };

  test('what was typed stays, and is not saved', async () => {
    await openForm();
    await change('Theirs');
    await field(signInText).fill('Ours.');
    await tryToSave();
    expect(await page.getByText(brand.changedAt.split('{{')[0] ?? '').count()).toBe(1);
    expect(await field(signInText).inputValue()).toBe('Ours.');
    expect(await field(brand.name).inputValue()).toBe('Acme Network');
    const sign_in_text = { en: 'Welcome to Acme.' };
    expect(await readBrand()).toMatchObject({ name: 'Theirs', sign_in_text });
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(await findOverflow(page)).toEqual([]);
  });

  test('their version can be loaded, and changed', async () => {
    await choice(brand.loadTheirs).click();
    await choice(brand.loadTheirs).waitFor({ state: 'detached' });
    expect(await field(brand.name).inputValue()).toBe('Theirs');
    expect(await field(signInText).inputValue()).toBe('Welcome to Acme.');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await field(brand.name).fill('Both');
    await save();
    expect(await readBrand()).toMatchObject({ name: 'Both' });
  });

  test('it can be replaced, but not a further one', async () => {
    await change('Second');
    await field(brand.name).fill('Ours');
    await tryToSave();
    await change('Third');
    await choice(brand.overwrite).click();
    await expect.poll(() => window.consoleErrors).toContain('refused: 412 PUT /operator/brand');
    window.expectRefused('412 PUT /operator/brand');
    expect(await readBrand()).toMatchObject({ name: 'Third' });
    await expect.poll(() => choice(brand.overwrite).getAttribute('aria-busy')).toBeNull();
    await choice(brand.overwrite).click();
    await choice(brand.overwrite).waitFor({ state: 'detached' });
    expect(await readBrand()).toMatchObject({ name: 'Ours' });
    await field(brand.name).fill('Acme Network');
    await save();
  });
});

test('the defaults are filled in, and take effect when they are saved', async () => {
  await page.getByRole('button', { name: brand.reset }).click();
  expect(await field(brand.name).inputValue()).toBe('');
  expect(await page.getByText(brand.ownAccent).count()).toBe(2);
  expect(await readBrand()).toMatchObject({ name: 'Acme Network' });
  await save();
  await expect.poll(() => page.title()).toBe('Operator · Edge Account');
  expect(await page.locator('header img').count()).toBe(0);
  expect(await readBrand()).toEqual({ name: 'Edge Account', sign_in_text: {} });
  await page.mouse.move(0, 0);
  const [, ground] = await colorsOf(page.getByRole('button', { name: brand.save }));
  expect(ground).toBe('#0c7349');
});
