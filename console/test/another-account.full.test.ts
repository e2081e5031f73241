/**
 * Two windows of one browser: a second user signs in in one of them, while the other still shows
 * pages of the first user.
 */
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { type Account, beginDevice, signUpByApi } from './support/seed.ts';
import { texts } from './support/texts.ts';
import { newPerson, openSecurity, overview, type Person, signIn } from './support/user-flows.ts';
import { watchRequests } from './support/watch-requests.ts';
import {
  findAccessibilityProblems,
  findOverflow,
  type WatchedWindow,
} from './support/watched-page.ts';

const stage = startBrowserFixture();
let alice: Person;
let bob: Person;
let bobsAccount: Account;
let window: WatchedWindow;
/** The window of Alice, whose event stream is lost. */
let page: Page;
/** Requests of that window since Bob signed in, with their user. */
let askedFor: Set<string>;
let written: string[];
/** Ends once that window waits for no answer: a refused one would tell it of Bob too early. */
let untilAnswered: () => Promise<void>;

beforeEach(async () => {
  [alice, bob] = [newPerson('Alice'), newPerson('Bob')];
  // The longest valid address must fit on a phone, too.
  bob = { ...bob, email: `${'o'.repeat(50)}.${bob.email}` };
  await signUpByApi(stage.service.baseUrl, alice);
  bobsAccount = await signUpByApi(stage.service.baseUrl, bob);
  window = await stage.open({ viewport: { width: 320, height: 640 } });
  page = window.page;
  untilAnswered = watchRequests(page);
  await page.route('**/me/events', (route) => route.abort());
  await page.goto('/security');
  await signIn(page, stage.service.baseUrl, alice);
  await page.getByText(alice.email).waitFor();
  return () => window.close();
});

function subjectOf(authorization: string): string {
  return JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString()).sub;
}

/** In the other window Alice signs out, and Bob signs in. */
async function replaceAlice(): Promise<void> {
  await untilAnswered();
  [askedFor, written] = [new Set(), []];
  page.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization?.startsWith('Bearer')) askedFor.add(subjectOf(authorization));
    if (authorization?.startsWith('Bearer') && request.method() !== 'GET')
      written.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  const other = await window.context.newPage();
  await other.goto('/security');
  await openSecurity(other);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(other, stage.service.baseUrl, bob);
  await openSecurity(other);
  await other.getByText(bob.email).waitFor();
}

async function fillNickname(): Promise<void> {
  await page.getByRole('button', { name: 'Change nickname' }).click();
  await page.getByRole('textbox', { name: 'Nickname' }).fill('Alice the Second');
}

/** The page shows the signed-in user, nothing of Alice, and sent no request in the name of Bob. */
async function expectToldApart(writes: readonly string[]): Promise<void> {
  await page.getByRole('heading', { name: 'Another account is signed in here now' }).waitFor();
  await page.getByRole('alert').getByText(`signed in as ${bob.email}`).waitFor();
  expect(await findOverflow(page)).toEqual([]);
  expect(await page.getByText(alice.email).count()).toBe(0);
  expect(await page.getByRole('textbox').count()).toBe(0);
  expect(written).toEqual(writes);
  expect([...askedFor]).not.toContain(subjectOf(bobsAccount.accessToken));
  const me = await expectOk<{ nickname: string }>(`${stage.service.baseUrl}/me`, {
    token: bobsAccount.accessToken,
  });
  expect(me.nickname).toBe(bob.nickname);
}

test('the form of one user is not sent in the account of the next', async () => {
  await fillNickname();
  await replaceAlice();
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToldApart(['PATCH /me']);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: texts.shell.replaced.goOn }).click();
  await overview(page).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await openSecurity(page);
  await page.getByText(bob.email).waitFor();
});

test('a device that one user authorises does not appear for the next user', async () => {
  await page.goto('/device');
  await page.getByLabel('Device code').fill(await beginDevice(stage.service.baseUrl));
  await page.getByRole('heading', { name: /shows the code/ }).waitFor();
  await replaceAlice();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expectToldApart(['POST /oauth2/device']);
  await page.getByRole('button', { name: texts.shell.replaced.goOn }).click();
  await overview(page).waitFor();
  // The user code is not filled in either.
  expect(page.url()).toBe(`${stage.service.baseUrl}/`);
});

test('a token that is renewed in time is not used for the next user', async () => {
  await fillNickname();
  await replaceAlice();
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 86_400_000;
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToldApart([]);
});

test('a reconnecting stream detects another user; the first user can return', async () => {
  await replaceAlice();
  await page.unroute('**/me/events');
  await expectToldApart([]);
  await page.getByRole('button', { name: 'Use another account' }).click();
  await signIn(page, stage.service.baseUrl, alice);
  await overview(page).waitFor();
  await openSecurity(page);
  await page.getByText(alice.email).waitFor();
});
