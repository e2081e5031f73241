/**
 * `npm run screenshots`: every page, narrow and wide, light and dark, in English and Chinese, of a furnished account,
 * of somebody who is new, and of an operator, in `artifacts/screenshots`. Look at them.
 */
import { mkdirSync, rmSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../service/test/support/browser.ts';
import { startService } from '../../service/test/support/service-process.ts';
import { lendChineseFont } from './support/chinese-font.ts';
import { type Furnished, furnish } from './support/furnish.ts';
import { newPerson, type Person, signIn } from './support/journey.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { FOLDER, LANGUAGES, type Look, SIZES, shoot, shootAll, speak, suffixOf, THEMES } from './support/pictures.ts';
import { beat, openOperator, registerClient, signUpByApi } from './support/seed.ts';
import { addVirtualAuthenticator, openWindow } from './support/window.ts';

const PAGES = {
  home: '/',
  wallets: '/wallets',
  rewards: '/wallets?wallet=bonus',
  convert: '/wallets/convert',
  deposits: '/deposits',
  devices: '/devices',
  'add-device': '/devices/add',
  community: '/people',
  security: '/security',
  operator: '/operator',
} as const;
const NEW_PAGES = { 'new-home': '/', 'new-wallets': '/wallets', 'new-devices': '/devices', 'new-community': '/people' } as const;
const OPERATOR_VIEWS = {
  'operator-users': '/operator?view=users',
  'operator-chains': '/operator?view=chains',
  'operator-ledger': '/operator?view=ledger',
  'operator-rules': '/operator?view=rules',
  'operator-webhooks': '/operator?view=webhooks',
} as const;

const WEATHER = { client_id: 'weather', client_name: 'Weather', type: 'public', scopes: ['openid', 'dashboard:read', 'devices:read'] };
const WEATHER_BACK = 'https://weather.example/back';

/** Asks for consent; the challenge is the one of RFC 7636, as nobody redeems the code. */
function consentAddress(): string {
  const search = new URLSearchParams({
    client_id: WEATHER.client_id,
    redirect_uri: WEATHER_BACK,
    response_type: 'code',
    scope: WEATHER.scopes.join(' '),
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  return `/oauth2/authorize?${search}`;
}

async function shootEntrance(page: Page, person: Person, look: Omit<Look, 'language'>): Promise<void> {
  for (const language of LANGUAGES) {
    const suffix = suffixOf({ ...look, language });
    await page.goto('/');
    await speak(page, language);
    await page.goto('/');
    await page.locator('form h1, form').first().waitFor();
    await shoot(page, `sign-in-${suffix}`);
    await page.locator('input[type=email]').fill(person.email);
    await page.locator('input[type=password]').fill(person.password);
    await page.locator('button[type=submit]').click();
    await page.locator('input[autocomplete=one-time-code]').waitFor();
    await shoot(page, `second-factor-${suffix}`);
    await page.goto('/?ref=ABCDEFGH');
    await page.locator('input[name=referral_code]').waitFor();
    await shoot(page, `register-${suffix}`);
  }
  await speak(page, 'en');
  await page.goto('/');
}

async function shootSheets(page: Page, suffix: string): Promise<void> {
  await page.goto(PAGES.devices);
  await page.locator('main li button').first().click();
  await shoot(page, `device-${suffix}`);
  await page.goto(PAGES.rewards);
  await page.locator('main li button').first().click();
  await shoot(page, `bill-${suffix}`);
  await page.goto(consentAddress());
  await page.locator('main ul li').first().waitFor();
  await shoot(page, `consent-${suffix}`);
}

/** A window of somebody who signs in, in one size and theme; gives what the browser complained of. */
async function shootPerson(browser: Browser, baseUrl: string, who: { person: Person; isNew: boolean }, look: Omit<Look, 'language'>): Promise<string[]> {
  const { context, page, complaints } = await openWindow(browser, baseUrl, { viewport: SIZES[look.size], colorScheme: look.theme });
  await lendChineseFont(page);
  if (!who.isNew) await shootEntrance(page, who.person, look);
  else await page.goto('/');
  await signIn(page, baseUrl, who.person);
  await page.getByRole('heading', { name: 'Earned today' }).waitFor();
  for (const language of LANGUAGES) {
    const suffix = suffixOf({ ...look, language });
    await speak(page, language);
    await shootAll(page, who.isNew ? NEW_PAGES : PAGES, suffix);
    if (!who.isNew) await shootSheets(page, suffix);
  }
  await context.close();
  return complaints;
}

/** One window for all looks: an operator proves themselves once in 15 minutes. */
async function shootOperator(browser: Browser, service: Parameters<typeof openOperatorPages>[1]): Promise<string[]> {
  const { context, page, complaints } = await openWindow(browser, service.baseUrl);
  await lendChineseFont(page);
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, service);
  for (const size of ['narrow', 'wide'] as const) {
    for (const theme of THEMES) {
      await page.setViewportSize(SIZES[size]);
      await page.emulateMedia({ colorScheme: theme });
      for (const language of LANGUAGES) {
        await speak(page, language);
        await shootAll(page, OPERATOR_VIEWS, suffixOf({ size, theme, language }));
      }
    }
  }
  await context.close();
  return complaints;
}

/** Devices stay online while their pictures are taken. */
function keepOnline(baseUrl: string, { devices }: Furnished): void {
  setInterval(() => void Promise.allSettled(devices.map((device) => beat(baseUrl, device))), 20_000).unref();
}

async function run(browser: Browser): Promise<string[]> {
  const service = await startService();
  try {
    const { baseUrl } = service;
    const furnished = await furnish(service);
    await registerClient(await openOperator(service), { ...WEATHER, redirect_uris: [WEATHER_BACK] });
    const newcomer = newPerson('Nia');
    await signUpByApi(baseUrl, newcomer);
    keepOnline(baseUrl, furnished);
    const complaints: string[] = [];
    for (const size of ['narrow', 'wide'] as const) {
      for (const theme of THEMES) {
        complaints.push(...(await shootPerson(browser, baseUrl, { person: furnished.person, isNew: false }, { size, theme })));
        complaints.push(...(await shootPerson(browser, baseUrl, { person: newcomer, isNew: true }, { size, theme })));
      }
    }
    return [...complaints, ...(await shootOperator(browser, service))];
  } finally {
    await service.dispose();
  }
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const browser = await openBrowser();
try {
  const complaints = await run(browser.browser);
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
}
console.log(`The pictures are in ${FOLDER}`);
