/** Challenges of the sign-in page: computed by it, or solved in the widget of a provider. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readCode } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, type Stage, startBrowserFixture } from './support/browser-fixture.ts';
import { texts } from './support/texts.ts';
import { newPerson, overview, type Person } from './support/user-flows.ts';
import { findAccessibilityProblems } from './support/watched-page.ts';

const PROXY = { TRUSTED_PROXIES: '127.0.0.1' };
const working = texts.signIn.challenge.working;

/** Uses up what a network registers without a challenge. */
async function registerOthers(stage: Stage, ip: string): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const answer = await fetch(`${stage.service.baseUrl}/user/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify({
        email: `neighbour@${randomUUID()}.test`,
        nickname: 'Neighbour',
        login_password: '0123456789abcdef0123456789abcdef',
      }),
    });
    expect(answer.status).toBe(202);
  }
}

async function submitRegistration(page: Page, person: Person): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Nickname').fill(person.nickname);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
}

async function confirm(stage: Stage, page: Page, { email }: Person): Promise<void> {
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  await page.getByLabel('Code', { exact: true }).fill(await readCode(stage.service.baseUrl, email));
  await overview(page).waitFor();
}

describe('the proof of work', () => {
  const stage = startBrowserFixture(PROXY);

  test.each(['light', 'dark'] as const)(
    'is computed while the button is busy, in %s appearance',
    async (colorScheme) => {
      const ip = colorScheme === 'light' ? '203.0.113.7' : '198.51.100.7';
      await registerOthers(stage, ip);
      const window = await stage.open({ colorScheme, extraHTTPHeaders: { 'x-forwarded-for': ip } });
      const { page } = window;
      const person = newPerson();
      // Holds the moment in which the user sees it.
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/assets/proof-of-work-*.js', async (route) => {
        await held;
        await route.continue();
      });
      await submitRegistration(page, person);
      await page.getByRole('status').getByText(working).waitFor();
      window.expectRefused('403 POST /user/register');
      expect(await findAccessibilityProblems(page)).toEqual([]);
      const folder = process.env.SCREENSHOTS;
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/challenge-${colorScheme}.png` });
      release();
      await confirm(stage, page, person);
      expect(await page.getByText(working).count()).toBe(0);
      await closeWithoutErrors(window);
    },
  );
});

const WIDGETS = [
  ['turnstile', 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'],
  ['hcaptcha', 'https://js.hcaptcha.com/1/api.js?render=explicit'],
] as const;

describe.each(WIDGETS)('the widget of %s', (provider, script) => {
  const stage = startBrowserFixture({
    ...{ ...PROXY, CHALLENGE: provider, CHALLENGE_SITE_KEY: 'site', CHALLENGE_SECRET: 'secret' },
  });

  test('is loaded from its host only, and its token is sent', async () => {
    const ip = '203.0.113.7';
    await registerOthers(stage, ip);
    const window = await stage.open({ extraHTTPHeaders: { 'x-forwarded-for': ip } });
    const { page } = window;
    const tokens: (string | null)[] = [];
    await page.route(script, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.${provider} = { render(container, { sitekey, callback }) {
          const button = document.createElement('button');
          button.textContent = 'I am not a program, ' + sitekey;
          button.onclick = () => callback('a token');
          container.append(button);
        } };`,
      }),
    );
    await page.route('**/user/register', async (route) => {
      const token = await route.request().headerValue('challenge-solution');
      tokens.push(token);
      // The provider is not asked here: the service's own test has a server in its place.
      if (token === null) return route.continue();
      return route.fulfill({
        ...{ status: 202, contentType: 'application/json' },
        body: JSON.stringify({ email: 'a@example.test', register_ticket: 'ticket' }),
      });
    });
    await submitRegistration(page, newPerson());
    await page.getByText(texts.signIn.challenge.widget).waitFor();
    window.expectRefused('403 POST /user/register');
    await page.getByRole('button', { name: 'I am not a program, site' }).click();
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    expect(tokens).toEqual([null, 'a token']);
    await window.close();
    expect(window.consoleErrors.filter((line) => !line.includes(new URL(script).host))).toEqual([]);
  });

  test('other hosts stay closed', async () => {
    const answer = await fetch(`${stage.service.baseUrl}/authorize`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    const hosts = [...policy.matchAll(/https:\/\/[^ ;]+/g)].map(([host]) => host);
    const own = provider === 'turnstile' ? /challenges\.cloudflare\.com$/ : /hcaptcha\.com$/;
    expect(hosts.length).toBeGreaterThan(0);
    expect(hosts.filter((host) => !own.test(host))).toEqual([]);
  });
});
