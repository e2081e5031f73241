/**
 * `npm run screenshots`: every page, narrow and wide, light and dark, in English and Chinese, of a furnished account,
 * of somebody who is new, and of an operator, in `artifacts/screenshots`. Look at them.
 */
import { mkdirSync, rmSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../service/test/support/browser.ts';
import { startDemoChain } from '../../service/test/support/chains/demo-chain.ts';
import { type ServiceProcess, startService } from '../../service/test/support/service-process.ts';
import { lendChineseFont } from './support/chinese-font.ts';
import { type Furnished, furnish } from './support/furnish.ts';
import { newPerson, type Person, signIn } from './support/journey.ts';
import { liven } from './support/liven.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { FOLDER, LANGUAGES, type Look, SIZES, shoot, shootAll, speak, suffixOf, THEMES } from './support/pictures.ts';
import { lendProof, makeProof } from './support/proof.ts';
import { openReceiver } from './support/receiver.ts';
import { entranceScenes, OPERATOR_SCENES, PERSON_SCENES, play, textsOf } from './support/scenes.ts';
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

/** Every step before somebody is signed in, from a fresh page each. */
async function shootEntrance(page: Page, person: Person, look: Omit<Look, 'language'>): Promise<void> {
  for (const language of LANGUAGES) {
    await page.goto('/');
    await speak(page, language);
    for (const [name, scene] of Object.entries(entranceScenes(person))) {
      await page.goto('/');
      await scene(page, textsOf(language));
      await shoot(page, `${name}-${suffixOf({ ...look, language })}`);
    }
  }
  await speak(page, 'en');
  await page.goto('/');
}

async function shootConsent(page: Page, suffix: string): Promise<void> {
  await page.goto(consentAddress());
  await page.locator('main ul li').first().waitFor();
  await shoot(page, `consent-${suffix}`);
}

/** A device that waits to be let in. */
async function shootDeviceCode(page: Page, baseUrl: string, suffix: string): Promise<void> {
  const body = new URLSearchParams({ client_id: 'edge-terminal', scope: 'openid device:connect devices:read', device_categories: 'web,video' });
  const begun = (await (await fetch(`${baseUrl}/oauth2/device_authorization`, { method: 'POST', body })).json()) as Record<string, string>;
  await page.goto(String(begun.verification_uri_complete));
  await page.locator('main fieldset').waitFor();
  await shoot(page, `allow-device-${suffix}`);
}

/** A window of somebody who signs in, in one size and theme; gives what the browser complained of. */
async function shootPerson(
  browser: Browser,
  baseUrl: string,
  { person, proof }: { person: Person; proof?: string },
  look: Omit<Look, 'language'>,
): Promise<string[]> {
  const { context, page, complaints } = await openWindow(browser, baseUrl, { viewport: SIZES[look.size], colorScheme: look.theme });
  await lendChineseFont(page);
  if (proof === undefined) await page.goto('/');
  else await shootEntrance(page, person, look);
  await signIn(page, baseUrl, person);
  await page.getByRole('heading', { name: 'Earned today' }).waitFor();
  for (const language of LANGUAGES) {
    const suffix = suffixOf({ ...look, language });
    await speak(page, language);
    await shootAll(page, proof === undefined ? NEW_PAGES : PAGES, suffix);
    if (proof === undefined) continue;
    await lendProof(page, () => proof);
    await play(page, PERSON_SCENES, textsOf(language), (name) => shoot(page, `${name}-${suffix}`));
    await shootDeviceCode(page, baseUrl, suffix);
    await shootConsent(page, suffix);
  }
  await context.close();
  return complaints;
}

/** One window for all looks: an operator proves themselves once in 15 minutes. */
async function shootOperator(browser: Browser, service: ServiceProcess): Promise<string[]> {
  const { context, page, complaints } = await openWindow(browser, service.baseUrl);
  await lendChineseFont(page);
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, service);
  for (const size of ['narrow', 'wide'] as const) {
    for (const theme of THEMES) {
      await page.setViewportSize(SIZES[size]);
      await page.emulateMedia({ colorScheme: theme });
      for (const language of LANGUAGES) {
        const suffix = suffixOf({ size, theme, language });
        await speak(page, language);
        await shootAll(page, OPERATOR_VIEWS, suffix);
        await play(page, OPERATOR_SCENES, textsOf(language), (name) => shoot(page, `${name}-${suffix}`));
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

async function shootEverybody(browser: Browser, service: ServiceProcess, furnished: Furnished): Promise<string[]> {
  const { baseUrl } = service;
  const proof = await makeProof();
  const newcomer = newPerson('Nia');
  await signUpByApi(baseUrl, newcomer);
  keepOnline(baseUrl, furnished);
  const complaints: string[] = [];
  for (const size of ['narrow', 'wide'] as const) {
    for (const theme of THEMES) {
      complaints.push(...(await shootPerson(browser, baseUrl, { person: furnished.person, proof }, { size, theme })));
      complaints.push(...(await shootPerson(browser, baseUrl, { person: newcomer }, { size, theme })));
    }
  }
  return [...complaints, ...(await shootOperator(browser, service))];
}

const CONFIRMATIONS = 12;

async function run(browser: Browser): Promise<string[]> {
  const [service, chain, receiver] = await Promise.all([startService({ OUTGOING_LOOPBACK: 'allow' }), startDemoChain(CONFIRMATIONS), openReceiver()]);
  try {
    const furnished = await furnish(service);
    const operator = await openOperator(service);
    await liven(operator, chain, receiver.url, furnished);
    await registerClient(operator, { ...WEATHER, redirect_uris: [WEATHER_BACK] });
    return await shootEverybody(browser, service, furnished);
  } finally {
    receiver.close();
    await service.dispose();
    await chain.stop();
  }
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const browser = await openBrowser();
try {
  const complaints = await run(browser.browser);
  // An address that does not exist is one of the scenes.
  const others = complaints.filter((complaint) => complaint !== 'refused: 404 GET /nothing');
  for (const complaint of others) console.error(complaint);
  if (others.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
}
console.log(`The pictures are in ${FOLDER}`);
