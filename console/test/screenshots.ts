/**
 * `npm run screenshots`: every page, narrow and wide, light and dark, in every language, of a
 * seeded account, a new user and an operator, in `artifacts/screenshots`. A regular expression
 * after `--` selects by name: `npm run screenshots -- '^wallets-.*-zh'`.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../service/test/support/browser.ts';
import { startDemoChain } from '../../service/test/support/chains/demo-chain.ts';
import { type ServiceProcess, startService } from '../../service/test/support/service-process.ts';
import { USER_AGENT } from '../../terminal/src/program.ts';
import { askingAddress, WEATHER } from './support/application.ts';
import { installChineseFont } from './support/chinese-font.ts';
import { openOperatorPages, withCommand } from './support/operator-journey.ts';
import { OPERATOR_SCENES } from './support/operator-scenes.ts';
import {
  FOLDER,
  isEveryPictureWanted,
  isWanted,
  LANGUAGES,
  type Look,
  SIZES,
  screenshot,
  screenshotAll,
  setLanguage,
  suffixOf,
  THEMES,
} from './support/screenshot.ts';
import { PERSON_SCENES, runScene, signInScenes } from './support/screenshot-scenes.ts';
import { beat, openOperator, registerClient, signUpByApi } from './support/seed.ts';
import { type SeededAccount, seedPerson, seedPrice, seedPrices } from './support/seed-account.ts';
import { seedActivity } from './support/seed-activity.ts';
import { seedChanges } from './support/seed-changes.ts';
import { seedHistory } from './support/seed-history.ts';
import { seedPayouts } from './support/seed-payouts.ts';
import { newPerson, overview, type Person, signIn } from './support/user-flows.ts';
import { addVirtualAuthenticator, openWindow } from './support/watched-page.ts';
import { openReceiver } from './support/webhook-receiver.ts';

const PAGES = {
  home: '/',
  wallets: '/wallets',
  rewards: '/wallets?wallet=bonus',
  convert: '/wallets/convert',
  withdraw: '/wallets/withdraw',
  deposits: '/deposits',
  devices: '/devices',
  'add-device': '/devices/add',
  community: '/people',
  security: '/security',
  notifications: '/notifications',
  operator: '/operator',
} as const;
const NEW_PAGES = {
  'new-home': '/',
  'new-wallets': '/wallets',
  'new-devices': '/devices',
  'new-community': '/people',
} as const;
const OPERATOR_VIEWS = {
  'operator-overview': '/operator?view=overview',
  'operator-users': '/operator?view=users',
  'operator-devices': '/operator?view=devices',
  'operator-money': '/operator?view=money',
  'operator-transfers': '/operator?view=transfers',
  'operator-payouts': '/operator?view=payouts',
  'operator-settlements': '/operator?view=settlements',
  'operator-prices': '/operator?view=prices',
  'operator-applications': '/operator?view=applications',
  'operator-chains': '/operator?view=chains',
  'operator-ledger': '/operator?view=ledger',
  'operator-rules': '/operator?view=rules',
  'operator-webhooks': '/operator?view=webhooks',
  'operator-brand': '/operator?view=brand',
  'operator-audit': '/operator?view=audit',
} as const;

const WEATHER_BACK = 'https://weather.example/back';
const WEATHER_SCOPES = ['openid', 'dashboard:read', 'devices:read'];

/** Every step before the user is signed in. */
async function screenshotSignIn(
  page: Page,
  person: Person,
  look: Omit<Look, 'language'>,
): Promise<void> {
  for (const language of LANGUAGES) {
    await page.goto('/');
    await setLanguage(page, language);
    await runScene(page, signInScenes(person), { ...look, language });
  }
  await setLanguage(page, 'en');
  await page.goto('about:blank');
  await page.goto('/');
}

async function screenshotConsent(page: Page, suffix: string): Promise<void> {
  await page.goto(askingAddress(WEATHER_BACK, WEATHER_SCOPES));
  await page.locator('main ul li').first().waitFor();
  await screenshot(page, `consent-${suffix}`);
}

/** A device that waits for its authorisation. */
async function screenshotDeviceCode(page: Page, baseUrl: string, suffix: string): Promise<void> {
  const body = new URLSearchParams({
    client_id: 'edge-terminal',
    scope: 'openid device:connect devices:read',
    device_categories: 'web,video',
  });
  const begun = (await (
    await fetch(`${baseUrl}/oauth2/device_authorization`, {
      method: 'POST',
      headers: { 'user-agent': USER_AGENT },
      body,
    })
  ).json()) as Record<string, string>;
  await page.goto(String(begun.verification_uri_complete));
  await page.locator('main fieldset').waitFor();
  await screenshot(page, `allow-device-${suffix}`);
}

/** A phone has a share dialog; a headless browser has none. */
function stubShare(): void {
  Object.assign(navigator, { share: async () => undefined });
}

/** A window of one size and theme, opened before the sign-in; returns the errors of the browser. */
async function screenshotPerson(
  browser: Browser,
  baseUrl: string,
  person: Person,
  look: Omit<Look, 'language'>,
): Promise<string[]> {
  const { context, page, consoleErrors } = await openWindow(browser, baseUrl, {
    viewport: SIZES[look.size],
    colorScheme: look.theme,
    isMobile: look.size === 'narrow',
    hasTouch: look.size === 'narrow',
  });
  await installChineseFont(page);
  if (look.size === 'narrow') await page.addInitScript(stubShare);
  await screenshotSignIn(page, person, look);
  await signIn(page, baseUrl, person);
  await overview(page).waitFor();
  for (const language of LANGUAGES) {
    const suffix = suffixOf({ ...look, language });
    await setLanguage(page, language);
    await screenshotAll(page, PAGES, suffix);
    await runScene(page, PERSON_SCENES, { ...look, language });
    if (isWanted(`allow-device-${suffix}`)) await screenshotDeviceCode(page, baseUrl, suffix);
    if (isWanted(`consent-${suffix}`)) await screenshotConsent(page, suffix);
  }
  await context.close();
  return consoleErrors;
}

/** The same pages of a new user. */
async function screenshotNewcomer(
  browser: Browser,
  baseUrl: string,
  person: Person,
  look: Omit<Look, 'language'>,
): Promise<string[]> {
  const { context, page, consoleErrors } = await openWindow(browser, baseUrl, {
    viewport: SIZES[look.size],
    colorScheme: look.theme,
    isMobile: look.size === 'narrow',
    hasTouch: look.size === 'narrow',
  });
  await installChineseFont(page);
  if (look.size === 'narrow') await page.addInitScript(stubShare);
  await page.goto('/');
  await signIn(page, baseUrl, person);
  await overview(page).waitFor();
  for (const language of LANGUAGES) {
    await setLanguage(page, language);
    await screenshotAll(page, NEW_PAGES, suffixOf({ ...look, language }));
  }
  await context.close();
  return consoleErrors;
}

/** A window for each look: an operator's sign-in lasts 15 minutes, all looks take longer. */
async function screenshotOperator(
  browser: Browser,
  service: ServiceProcess,
  { size, theme }: Omit<Look, 'language'>,
): Promise<string[]> {
  const { context, page, consoleErrors } = await openWindow(browser, service.baseUrl);
  await installChineseFont(page);
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, withCommand(service));
  await page.setViewportSize(SIZES[size]);
  await page.emulateMedia({ colorScheme: theme });
  for (const language of LANGUAGES) {
    const look = { size, theme, language };
    await setLanguage(page, language);
    await screenshotAll(page, OPERATOR_VIEWS, suffixOf(look));
    await runScene(page, OPERATOR_SCENES, look);
  }
  await context.close();
  return consoleErrors;
}

/** Keeps the devices online while their pictures are taken. */
function keepOnline(baseUrl: string, { devices }: SeededAccount): void {
  setInterval(
    () => void Promise.allSettled(devices.map((device) => beat(baseUrl, device))),
    20_000,
  ).unref();
}

async function screenshotAccounts(
  browser: Browser,
  service: ServiceProcess,
  seeded: SeededAccount,
): Promise<string[]> {
  const { baseUrl } = service;
  const newcomer = newPerson('Nia');
  await signUpByApi(baseUrl, newcomer);
  keepOnline(baseUrl, seeded);
  const consoleErrors: string[] = [];
  const looks = (['narrow', 'wide'] as const).flatMap((size) =>
    THEMES.map((theme) => ({ size, theme })),
  );
  for (const look of looks) {
    // An old price is not used for offers.
    await seedPrice(await openOperator(service));
    consoleErrors.push(
      ...(await screenshotPerson(browser, baseUrl, seeded.person, look)),
      ...(await screenshotNewcomer(browser, baseUrl, newcomer, look)),
    );
  }
  for (const look of looks)
    consoleErrors.push(...(await screenshotOperator(browser, service, look)));
  return consoleErrors;
}

const CONFIRMATIONS = 12;

async function run(browser: Browser): Promise<string[]> {
  const [service, chain, receiver] = await Promise.all([
    startService({ OUTGOING_LOOPBACK: 'allow' }),
    startDemoChain(CONFIRMATIONS),
    openReceiver(),
  ]);
  try {
    const seeded = await seedPerson(service);
    await seedHistory(service, seeded);
    const operator = await openOperator(service);
    await seedPrices(operator, seeded);
    await seedActivity(operator, chain, receiver.url, seeded);
    await seedPayouts(service, seeded);
    await seedChanges(service, seeded);
    await registerClient(operator, {
      ...WEATHER,
      redirect_uris: [WEATHER_BACK],
      scopes: WEATHER_SCOPES,
    });
    return await screenshotAccounts(browser, service, seeded);
  } finally {
    receiver.close();
    await service.dispose();
    await chain.stop();
  }
}

/** The pictures of README.md; a run that includes these scenes replaces them. */
const README_PICTURES = {
  'home-wide-light-en.png': 'home-wide.png',
  'home-narrow-dark-en.png': 'home-narrow.png',
} as const;

function renewReadmePictures(): void {
  const pictures = new URL('../../docs/pictures/', import.meta.url).pathname;
  for (const [from, to] of Object.entries(README_PICTURES))
    if (existsSync(join(FOLDER, from))) copyFileSync(join(FOLDER, from), join(pictures, to));
}

if (isEveryPictureWanted) rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const browser = await openBrowser();
try {
  const consoleErrors = await run(browser.browser);
  // An unknown address is one of the scenes.
  const others = consoleErrors.filter((error) => error !== 'refused: 404 GET /nothing');
  for (const error of others) console.error(error);
  if (others.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
}
renewReadmePictures();
console.log(`The pictures are in ${FOLDER}`);
