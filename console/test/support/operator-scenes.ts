/** Scenes of the screenshots of an operator, by the texts of a language. */
import type { Page } from 'playwright-core';
import { ANSWERED, press, type Scene } from './screenshot-scenes.ts';

type Operator = Parameters<Scene>[1]['operator'];

/** The statement of the account that rewards come from. */
async function openBooks(page: Page, operator: Operator): Promise<void> {
  await page.goto('/operator?view=ledger&house=reward_pool&currency=EDGE');
  await page.getByRole('table', { name: operator.statements.bills }).waitFor();
}

/** The first purchase there is. */
async function openPurchase(page: Page, operator: Operator): Promise<void> {
  await page.goto('/operator?view=transfers&purchase=1');
  await page.getByRole('button', { name: operator.transfers.refund, exact: true }).waitFor();
}

/** The local chain, as it is while an operator has halted it. */
async function answerHalted(page: Page): Promise<void> {
  await page.route(ANSWERED, async (route) => {
    const response = await route.fetch();
    const chains = (await response.json()) as { cursor_height?: number }[];
    const halt = { state: 'halted', halted_reason: 'Two endpoints disagree' };
    const json = chains.map((chain) =>
      chain.cursor_height === undefined ? chain : { ...chain, ...halt },
    );
    await route.fulfill({ response, json });
  });
}

const openChain = (page: Page, { chains }: Operator) =>
  press(page, chains.configureName.replace('{{name}}', 'Local demo chain'));

/** What an operator opens. */
export const OPERATOR_SCENES: Readonly<Record<string, Scene>> = {
  'operator-disable': async (page, { operator }) => {
    await page.goto('/operator?view=users&keyword=ada');
    await page.locator('main tbody a').first().click();
    await press(page, operator.users.disable);
  },
  'operator-person': async (page) => {
    await page.goto('/operator?view=users&keyword=ada');
    await page.locator('main tbody a').first().click();
  },
  'operator-adjust': async (page, { operator }) => {
    await page.goto('/operator?view=users&keyword=ada');
    await page.locator('main tbody a').first().click();
    await press(page, operator.person.adjust);
  },
  'operator-reset': async (page, { operator }) => {
    await page.goto('/operator?view=users&keyword=ada');
    await page.locator('main tbody a').first().click();
    await press(page, operator.person.resetFactors);
  },
  'operator-payout': async (page, { operator }) => {
    await page.goto('/operator?view=payouts');
    await page
      .getByRole('table', { name: operator.payouts.queue })
      .getByRole('button')
      .first()
      .click();
  },
  'operator-payout-rule': async (page, { operator }) => {
    await page.goto('/operator?view=payouts');
    await press(page, operator.payouts.addRule);
  },
  'operator-payout-policy': async (page, { operator }) => {
    await page.goto('/operator?view=payouts');
    await press(page, operator.payouts.changeGeneral);
  },
  'operator-payout-stop': async (page, { operator }) => {
    await page.goto('/operator?view=payouts');
    const stops = page.getByRole('list', { name: operator.payouts.stops });
    await stops.getByRole('button').first().click();
  },
  'operator-reward': async (page, { operator }) => {
    await page.goto('/operator?view=money');
    await press(page, operator.money.payReward);
  },
  'operator-reward-question': async (page, { operator }) => {
    await page.goto('/operator?view=users&keyword=ada');
    await page.locator('main tbody a').first().click();
    await press(page, operator.money.payReward);
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel(operator.money.amount).fill('12.5');
    await sheet.getByLabel(operator.money.remark).fill('Found a fault');
    await press(page, operator.money.toConfirm);
    await page.getByText(operator.money.payLead).waitFor();
  },
  'operator-activity': async (page, { operator }) => {
    await page.goto('/operator?view=users&keyword=ada');
    await page.locator('main tbody a').first().click();
    const { wallets } = operator.person;
    const table = page.getByRole('region', { name: wallets, exact: true }).getByRole('table');
    await table.getByRole('button').last().click();
    const group = page.getByRole('dialog').getByRole('button', { expanded: false });
    await group.first().click();
  },
  'operator-deposit': async (page, { operator }) => {
    await page.goto('/operator?view=money');
    await press(page, operator.money.release);
  },
  'operator-purchase': (page, { operator }) => openPurchase(page, operator),
  'operator-refund': async (page, { operator }) => {
    await openPurchase(page, operator);
    await press(page, operator.transfers.refund);
  },
  'operator-application': async (page, { operator }) => {
    await page.goto('/operator?view=applications');
    await press(page, operator.applications.add);
  },
  'operator-chain': async (page, { operator }) => {
    await page.goto('/operator?view=chains');
    await openChain(page, operator);
  },
  'operator-chain-resume': async (page, { operator }) => {
    await answerHalted(page);
    await page.goto('/operator?view=chains');
    await openChain(page, operator);
    await page.getByText(operator.chains.resumeLead).waitFor();
  },
  'operator-statement': async (page, { operator }) => {
    await openBooks(page, operator);
    await page.getByRole('table', { name: operator.statements.bills }).waitFor();
  },
  'operator-statement-days': async (page, { operator }) => {
    await page.goto('/operator?view=ledger&house=reward_pool&currency=EDGE&by=day');
    await page.getByRole('table', { name: operator.statements.byDay }).waitFor();
  },
  'operator-transfer': async (page, { operator }) => {
    await openBooks(page, operator);
    const table = page.getByRole('table', { name: operator.statements.bills });
    await table.locator('tbody td:nth-child(2) button').first().click();
    await page.getByRole('dialog').getByText(operator.transfers.recorded).waitFor();
  },
  'operator-reversal': async (page, { operator }) => {
    await openBooks(page, operator);
    const table = page.getByRole('table', { name: operator.statements.bills });
    await table.locator('tbody td:nth-child(2) button').first().click();
    await press(page, operator.transfers.reverse);
  },
  'operator-settlement': async (page, { operator }) => {
    await page.goto('/operator?view=settlements');
    const table = page.getByRole('table', { name: operator.view.settlements });
    await table.getByRole('button').first().click();
  },
  'operator-feed': async (page, { operator }) => {
    await page.goto('/operator?view=prices');
    await press(page, operator.prices.addFeed);
  },
  'operator-draft': async (page, { operator }) => {
    await page.goto('/operator?view=rules');
    await press(page, operator.rules.draft);
  },
  'operator-dry-run': async (page, { operator }) => {
    await page.goto('/operator?view=rules');
    await press(page, operator.rules.dryRun);
    await page.getByRole('table').waitFor();
  },
  'operator-activate': async (page, { operator }) => {
    await page.goto('/operator?view=rules');
    await press(page, operator.rules.activate);
  },
  'operator-device': async (page, { operator }) => {
    await page.goto('/operator?view=devices');
    const table = page.getByRole('table', { name: operator.devices.found });
    await table.getByRole('button').first().click();
  },
  'operator-refused-reports': async (page, { operator }) => {
    await page.goto('/operator?view=devices');
    await press(page, operator.devices.showReports);
    await page.getByRole('table', { name: operator.devices.reports }).waitFor();
  },
  'operator-audit-entry': async (page, { operator }) => {
    await page.goto('/operator?view=audit&operation=updateClient');
    const name = operator.audit.operation.updateClient;
    await page.getByRole('button', { name: new RegExp(name) }).click();
  },
  'operator-audit-export': async (page, { operator }) => {
    await page.goto('/operator?view=audit');
    await press(page, operator.audit.export);
  },
  'operator-dead-letters': async (page, { operator }) => {
    await page.goto('/operator?view=webhooks');
    await page
      .getByRole('table', { name: operator.view.webhooks })
      .getByRole('button')
      .first()
      .click();
    await page.getByText(operator.webhooks.redeliver).waitFor();
  },
  'operator-brand-draft': async (page, { operator }) => {
    await page.goto('/operator?view=brand');
    await page.getByLabel(operator.brand.name, { exact: true }).fill('Acme Network');
    await page.getByLabel(operator.brand.accent, { exact: true }).fill('#e8a33d');
    await page.getByText(operator.brand.preview, { exact: true }).scrollIntoViewIfNeeded();
  },
};
