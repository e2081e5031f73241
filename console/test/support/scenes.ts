/** What the pictures show besides plain pages: each scene brings a page there, by the words of its language. */
import type { Page } from 'playwright-core';
import * as en from '../../src/i18n/en/console.ts';
import * as enEntry from '../../src/i18n/en/entry.ts';
import * as zh from '../../src/i18n/zh/console.ts';
import * as zhEntry from '../../src/i18n/zh/entry.ts';
import type { DryRun } from '../../src/operator/queries.ts';
import { newPerson, type Person } from './journey.ts';
import type { Look } from './pictures.ts';

export type Texts = typeof en & typeof enEntry;

const TEXTS: Readonly<Record<Look['language'], Texts>> = { en: { ...en, ...enEntry }, zh: { ...zh, ...zhEntry } };

export function textsOf(language: Look['language']): Texts {
  return TEXTS[language];
}

export type Scene = (page: Page, texts: Texts) => Promise<unknown>;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const pressIn = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** Somebody who signs in; each begins at `/`. */
export function entranceScenes(person: Person): Readonly<Record<string, Scene>> {
  return {
    'sign-in': (page) => page.locator('input[type=email]').waitFor(),
    'sign-in-empty': async (page, { signIn, common }) => {
      await press(page, signIn.submit);
      await page.getByText(common.required).first().waitFor();
    },
    'second-factor': async (page, { signIn }) => {
      await page.getByLabel(signIn.email).fill(person.email);
      await page.getByLabel(signIn.password, { exact: true }).fill(person.password);
      await press(page, signIn.submit);
      await page.getByRole('heading', { name: signIn.factor.title }).waitFor();
    },
    register: async (page, { signIn }) => {
      await page.goto('/?ref=ABCDEFGH');
      await page.getByRole('heading', { name: signIn.register.title }).waitFor();
    },
    'verify-email': async (page, { signIn }) => {
      await press(page, signIn.createAccount);
      const somebody = newPerson('Margaret');
      await page.getByLabel(signIn.email).fill(somebody.email);
      await page.getByLabel(signIn.register.nickname).fill(somebody.nickname);
      await page.getByLabel(signIn.password, { exact: true }).fill(somebody.password);
      await press(page, signIn.register.submit);
      await page.getByRole('heading', { name: signIn.register.verifyTitle }).waitFor();
    },
    reset: async (page, { signIn }) => {
      await press(page, signIn.forgot);
      await page.getByRole('heading', { name: signIn.reset.title }).waitFor();
    },
  };
}

/** What a furnished person opens. */
export const PERSON_SCENES: Readonly<Record<string, Scene>> = {
  device: async (page) => {
    await page.goto('/devices');
    await page.locator('main li button').first().click();
  },
  'device-delete': async (page, { devices }) => {
    await page.goto('/devices');
    await page.locator('main li button').first().click();
    await pressIn(page, devices.delete);
  },
  'bill-proof': async (page, { wallets }) => {
    await page.goto('/wallets?wallet=bonus');
    await page.locator('main li button').first().click();
    await pressIn(page, wallets.proof.verify);
    await page.getByText(wallets.proof.holds).waitFor();
    await page.locator('dialog li').last().scrollIntoViewIfNeeded();
  },
  'bill-by-hand': async (page) => {
    await page.goto('/wallets?wallet=bonus');
    await page.locator('main li button').nth(2).click();
  },
  'bill-filters': async (page, { wallets, shell }) => {
    await page.goto('/wallets?wallet=bonus');
    await press(page, wallets.filter);
    await page.getByLabel(wallets.from, { exact: true }).fill('2026-02-30');
    await page.getByText(shell.date.invalid).waitFor();
    await page.getByLabel(wallets.direction).selectOption('2');
    await page.getByText(wallets.noMatch).waitFor();
  },
  offer: async (page, { wallets }) => {
    await page.goto('/wallets/convert');
    await page.getByLabel(wallets.amount).fill('123.456789');
    await page.getByLabel(wallets.convertTo).selectOption('USDT');
    await press(page, wallets.seeOffer);
    await page.getByText(wallets.youGet).waitFor();
  },
  'deposit-sheet': async (page) => {
    await page.goto('/deposits');
    await page.locator('main li button').last().click();
  },
  authenticator: async (page, { security }) => {
    await page.goto('/security');
    await press(page, security.setUp);
    await pressIn(page, security.begin);
    await page.getByText(security.scan).waitFor();
  },
  passkey: async (page, { security }) => {
    await page.goto('/security');
    await press(page, security.addPasskey);
  },
  'change-password': async (page, { security }) => {
    await page.goto('/security');
    await press(page, security.change.password);
  },
  'close-account': async (page, { security }) => {
    await page.goto('/security');
    await press(page, security.closeButton);
  },
  'nothing-here': (page) => page.goto('/nothing'),
  'lost-stream': async (page, { shell }) => {
    await page.goto('/');
    await page.getByRole('heading', { level: 2 }).last().waitFor();
    await page.context().setOffline(true);
    await page.getByText(shell.live.lost).waitFor();
  },
};

/** A day of a network that a service of a few minutes has not had. */
const DRY_RUN: DryRun = {
  currency: 'EDGE',
  users_total: 2,
  by_reward_type: [
    { reward_type: 'UPTIME', active: '96', draft: '118.416666666666666667', difference: '22.416666666666666667' },
    { reward_type: 'TRAFFIC', active: '41.5', draft: '33.2', difference: '-8.3' },
  ],
  users: [
    { user_id: 1, active: '104.25', draft: '121.616666666666666667', difference: '17.366666666666666667' },
    { user_id: 3, active: '33.25', draft: '30', difference: '-3.25' },
  ],
};

/** What an operator opens. */
export const OPERATOR_SCENES: Readonly<Record<string, Scene>> = {
  'operator-disable': async (page, { operator }) => {
    await page.goto('/operator?view=users');
    await press(page, operator.users.disable);
  },
  'operator-chain': async (page, { operator }) => {
    await page.goto('/operator?view=chains');
    await press(page, operator.chains.configureName.replace('{{name}}', 'Local demo chain'));
  },
  'operator-draft': async (page, { operator }) => {
    await page.goto('/operator?view=rules');
    await press(page, operator.rules.draft);
  },
  'operator-dry-run-nothing': async (page, { operator }) => {
    await page.goto('/operator?view=rules');
    await press(page, operator.rules.dryRun);
    await page.getByText(operator.rules.nothing).waitFor();
  },
  'operator-dry-run': async (page, { operator }) => {
    await page.route('**/dry-run', (route) => route.fulfill({ json: DRY_RUN }));
    await page.goto('/operator?view=rules');
    await press(page, operator.rules.dryRun);
    await page.getByRole('table').waitFor();
    await page.unroute('**/dry-run');
  },
  'operator-dead-letters': async (page, { operator }) => {
    await page.goto('/operator?view=webhooks');
    await press(page, operator.webhooks.open);
    await page.getByText(operator.webhooks.redeliver).waitFor();
  },
};

/** Takes a page through scenes; `take` is called at each. */
export async function play(page: Page, scenes: Readonly<Record<string, Scene>>, texts: Texts, take: (name: string) => Promise<void>): Promise<void> {
  for (const [name, scene] of Object.entries(scenes)) {
    await scene(page, texts);
    await take(name);
    await page.context().setOffline(false);
  }
}
