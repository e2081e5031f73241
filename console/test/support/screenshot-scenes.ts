/**
 * Scenes of the screenshots besides plain pages: each brings a page to a state, by the texts of its
 * language.
 */
import type { Page } from 'playwright-core';
import type { Texts, Translation } from '../../src/i18n/texts.ts';
import { catalogueOf } from './catalogues.ts';
import { isWanted, type Look, screenshot, suffixOf } from './screenshot.ts';
import { newPerson, type Person } from './user-flows.ts';

type SceneTexts = Translation<Texts>;

export type Scene = (page: Page, texts: SceneTexts) => Promise<unknown>;

/** What a scene may answer in place of the service; the next one reads it from there again. */
export const ANSWERED = '**/operator/chains';

export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click();
const pressIn = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** Scenes of signing in; each begins on a fresh page. */
export function signInScenes(person: Person): Readonly<Record<string, Scene>> {
  const scenes: Readonly<Record<string, Scene>> = {
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
    invitation: async (page, { signIn }) => {
      // As under rules that pay for everything.
      const paid = { is_paying: true, has_uptime: true, has_traffic: true, has_referral: true };
      const invitation = { nickname: 'Grace', ...paid };
      await page.route('**/user/invitations/*', (route) => route.fulfill({ json: invitation }));
      await page.goto('/?ref=ABCDEFGH');
      await page.getByText(signIn.invitation.both).waitFor();
      await page.unroute('**/user/invitations/*');
    },
    'verify-email': async (page, { signIn }) => {
      await press(page, signIn.createAccount);
      const margaret = newPerson('Margaret');
      await page.getByLabel(signIn.email).fill(margaret.email);
      await page.getByLabel(signIn.register.nickname).fill(margaret.nickname);
      await page.getByLabel(signIn.password, { exact: true }).fill(margaret.password);
      await press(page, signIn.register.submit);
      await page.getByRole('heading', { name: signIn.register.verifyTitle }).waitFor();
    },
    reset: async (page, { signIn }) => {
      await press(page, signIn.forgot);
      await page.getByRole('heading', { name: signIn.reset.title }).waitFor();
    },
  };
  const fromTheStart =
    (scene: Scene): Scene =>
    async (page, texts) => {
      // The same address would reload, with the state that a reload keeps of the previous scene.
      await page.goto('about:blank');
      await page.goto('/');
      await scene(page, texts);
    };
  return Object.fromEntries(
    Object.entries(scenes).map(([name, scene]) => [name, fromTheStart(scene)]),
  );
}

/** What a user with a seeded account opens. */
export const PERSON_SCENES: Readonly<Record<string, Scene>> = {
  'add-terminal': async (page, { devices }) => {
    await page.goto('/devices/add');
    await page.getByRole('radio', { name: devices.platform.unix }).check();
  },
  device: async (page) => {
    await page.goto('/devices');
    await page.locator('main li button').first().click();
  },
  'device-history': async (page, { devices }) => {
    await page.goto('/devices');
    await page.locator('main li button', { hasText: 'Debian' }).first().click();
    await page.getByRole('link', { name: devices.history.open }).click();
    await page.getByLabel(devices.history.hour, { exact: true }).waitFor();
  },
  'device-refused': async (page) => {
    await page.goto('/devices');
    // The device itself reports its owner.
    await page.locator('main li button', { hasText: 'Debian' }).first().click();
    await page.locator('dialog summary').click();
    await page.locator('dialog details li').last().scrollIntoViewIfNeeded();
  },
  'device-delete': async (page, { devices }) => {
    await page.goto('/devices');
    await page.locator('main li button').first().click();
    await pressIn(page, devices.delete);
  },
  'bill-proof': async (page, { wallets, shell }) => {
    await page.goto('/wallets?wallet=bonus');
    await page.locator('main li button', { hasText: shell.rewardType.TRAFFIC }).first().click();
    await pressIn(page, wallets.proof.verify);
    await page.getByText(wallets.proof.holds).waitFor();
    await page.locator('dialog li').last().scrollIntoViewIfNeeded();
  },
  'bill-by-hand': async (page, { shell }) => {
    await page.goto('/wallets?wallet=bonus');
    await page.locator('main li button', { hasText: shell.rewardType.BONUS }).first().click();
  },
  'bill-filters': async (page, { wallets, shell }) => {
    await page.goto('/wallets?wallet=bonus');
    await press(page, shell.filter.button);
    await page.getByLabel(wallets.from, { exact: true }).fill('2026-02-30');
    await page.getByText(shell.date.invalid).waitFor();
    await page.getByLabel(wallets.direction, { exact: true }).selectOption('2');
    await page.getByText(wallets.noMatch).waitFor();
  },
  export: async (page, { wallets }) => {
    await page.goto('/wallets');
    await press(page, wallets.export);
    await page.getByRole('dialog').getByLabel(wallets.statement.month).waitFor();
  },
  offer: async (page, { wallets }) => {
    await page.goto('/wallets/convert');
    await page.getByLabel(wallets.amount, { exact: true }).fill('123.456789');
    await page.getByLabel(wallets.convertTo, { exact: true }).selectOption('USDT');
    await press(page, wallets.seeOffer);
    await page.getByText(wallets.youGet).waitFor();
  },
  'withdraw-terms': async (page, { withdraw }) => {
    await page.goto('/wallets/withdraw');
    await page.getByText(withdraw.minimum).waitFor();
    await page.getByLabel(withdraw.amount, { exact: true }).fill('26.25');
    await press(page, withdraw.seeTerms);
    await page.getByText(withdraw.validUntil).waitFor();
  },
  'withdraw-sheet': async (page) => {
    await page.goto('/wallets/withdraw');
    await page.locator('main li button:has(time)').first().click();
  },
  'withdraw-address': async (page, { withdraw }) => {
    await page.goto('/wallets/withdraw');
    await press(page, withdraw.addAddress);
  },
  'deposit-sheet': async (page) => {
    await page.goto('/deposits');
    await page.locator('main li button').last().click();
  },
  'deposit-held': async (page, { shell }) => {
    await page.goto('/deposits');
    await page.locator('main li button', { hasText: shell.depositStatus.on_hold }).click();
  },
  authenticator: async (page, { security }) => {
    await page.goto('/security');
    await press(page, security.setUp);
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

/** Runs the scenes on a page and takes a picture of each. */
export async function runScene(
  page: Page,
  scenes: Readonly<Record<string, Scene>>,
  look: Look,
): Promise<void> {
  for (const [scene, bring] of Object.entries(scenes)) {
    const name = `${scene}-${suffixOf(look)}`;
    if (!isWanted(name)) continue;
    await bring(page, catalogueOf(look.language));
    await screenshot(page, name);
    await page.context().setOffline(false);
    await page.unroute(ANSWERED);
  }
}
