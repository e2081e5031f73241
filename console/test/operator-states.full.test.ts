/** The operator pages show states: waiting messages, silent networks, and where data is kept. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { startDemoChain } from '../../service/test/support/chains/demo-chain.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { CLOSING_MARK, findLineEnds, widenSigns } from './support/cjk-line-breaks.ts';
import { openOperatorPages } from './support/operator-journey.ts';
import { type Operator, openOperator } from './support/seed.ts';
import { texts } from './support/texts.ts';
import {
  addVirtualAuthenticator,
  findAccessibilityProblems,
  findOverflow,
  untilNothingIsOpen,
  type WatchedWindow,
} from './support/watched-page.ts';
import { openReceiver, type Receiver } from './support/webhook-receiver.ts';

const stage = startBrowserFixture({ OUTGOING_LOOPBACK: 'allow' });
let receiver: Receiver;
let operator: Operator;
let window: WatchedWindow;
let page: Page;

beforeAll(async () => {
  receiver = await openReceiver();
  window = await stage.open({ viewport: { width: 320, height: 700 } });
  page = window.page;
  await addVirtualAuthenticator(page);
  await openOperatorPages(page, stage.service);
  operator = await openOperator(stage.service);
});
afterAll(async () => {
  receiver?.close();
  if (window) await closeWithoutErrors(window);
});

async function open(view: string, language: 'en' | 'zh' = 'en'): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('edge-language', chosen), language);
  await page.goto(`/operator?view=${view}`);
}

/** The last verification, as old as a test needs it. */
async function answerVerified(minutesAgo: number): Promise<void> {
  await page.route('**/operator/overview', async (route) => {
    const response = await route.fetch();
    const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
    const last_verification = { at, findings: 0, parts: ['ledger', 'rewards', 'payouts'] };
    const json = { ...((await response.json()) as object), last_verification };
    await route.fulfill({ response, json });
  });
}

test('the overview fits on a phone with an age of two digits', async () => {
  for (const language of ['en', 'zh'] as const) {
    await answerVerified(59);
    await open('overview', language);
    await page.getByText(language === 'en' ? '59 minutes ago' : '59 分钟前').waitFor();
    expect(await findOverflow(page)).toEqual([]);
    const tiles = page.locator('dl > div').filter({ has: page.locator('dd') });
    const spilling = await tiles.evaluateAll((all) =>
      all
        .filter((tile) =>
          [...tile.children].some(
            (part) => part.getBoundingClientRect().right > tile.getBoundingClientRect().right,
          ),
        )
        .map((tile) => tile.textContent),
    );
    expect(spilling).toEqual([]);
  }
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.unroute('**/operator/overview');
});

interface Hook {
  readonly id: number;
  readonly active: boolean;
  readonly pending: number;
  readonly dead: number;
}

function callWebhooks<T>(path = '', body?: object): Promise<T> {
  return expectOk(`${stage.service.baseUrl}/operator/webhooks${path}`, {
    token: operator.token,
    ...(body && { body }),
  });
}

/** Four messages that the receiver refuses. */
async function makeDeadLetters(): Promise<void> {
  const { id } = await callWebhooks<Hook>('', { url: receiver.url, description: 'Bookkeeping' });
  for (let dead = 1; dead <= 4; dead++) {
    await expectOk(`${stage.service.baseUrl}/operator/webhooks/${id}`, {
      method: 'PATCH',
      token: operator.token,
      body: { active: true },
    });
    await expectOk(`${stage.service.baseUrl}/operator/webhooks/${id}/test`, {
      method: 'POST',
      token: operator.token,
    });
    await expect
      .poll(() => callWebhooks<Hook>(`/${id}`))
      .toMatchObject({ active: false, pending: 0, dead });
  }
}

async function sendAgainWhileOff(sheet: Locator): Promise<void> {
  await sheet.getByRole('button', { name: 'Send again', exact: true }).first().click();
  await sheet.getByText('1 message waits: switch the webhook on to send it.').waitFor();
  await sheet.getByRole('button', { name: 'Send all of 30 days again' }).click();
  await page.getByText('3 messages wait until the webhook is switched on.').waitFor();
  await sheet.getByText('4 messages wait: switch the webhook on to send them.').waitFor();
  await sheet.getByText('No dead letters.').waitFor();
  await sheet.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test message waits until the webhook is switched on.').waitFor();
  await sheet.getByText('5 messages wait: switch the webhook on to send them.').waitFor();
}

/** What waits for the webhook is listed, and can be read; nothing is sent now. */
async function readWaiting(sheet: Locator): Promise<void> {
  await sheet.getByText('Waiting', { exact: true }).click();
  const list = sheet.getByRole('list', { name: 'Waiting' });
  await expect.poll(() => list.getByRole('listitem').count()).toBe(5);
  expect(await sheet.getByRole('button', { name: /^Send (now|again)/ }).count()).toBe(0);
  await list
    .getByRole('button', { name: /^Open message/ })
    .first()
    .click();
  const message = page.getByRole('dialog', { name: /^Message \d+/ });
  await message.getByText('"type": "webhook.test"').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await message.waitFor({ state: 'detached' });
  await sheet.getByText('Delivered', { exact: true }).click();
  await sheet.getByText(texts.operator.webhooks.noneOf.delivered).waitFor();
  await sheet.getByText('Failed', { exact: true }).click();
}

test('messages of a disabled webhook wait, and are shown as delivered later', async () => {
  await makeDeadLetters();
  await open('webhooks');
  await page.getByRole('button', { name: 'Details' }).click();
  const sheet = page.getByRole('dialog', { name: 'Bookkeeping' });
  await sendAgainWhileOff(sheet);
  await readWaiting(sheet);
  expect(await page.getByText(/sent again\.|Everything was delivered|is on its way/).count()).toBe(
    0,
  );
  expect(receiver.count()).toBe(4);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  receiver.accept();
  await sheet.getByRole('switch', { name: 'Send messages' }).click();
  await sheet.getByText('Everything was delivered.').waitFor();
  expect(await sheet.getByText(/messages? waits?:/).count()).toBe(0);
  expect(receiver.count()).toBe(9);
  await sheet.getByText('Delivered', { exact: true }).click();
  await sheet
    .getByText(/answered 204/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('a head signed between two daily ones is saved; the list has daily ones only', async () => {
  await open('ledger');
  await page.getByText('No daily head yet').waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Sign and save now' }).click();
  expect((await saved).suggestedFilename()).toBe('ledger-head.json');
  await page.getByText('Saved as ledger-head.json. Only daily heads are listed here.').waitFor();
  await page.getByText(texts.operator.ledger.noneLead).waitFor();
  expect(await page.getByRole('button', { name: 'Save all daily heads' }).isDisabled()).toBe(true);
});

test('a network without a reachable node is shown once, with its last answer', async () => {
  const chain = await startDemoChain();
  try {
    await chain.configure(stage.service.baseUrl, operator.token);
    await open('chains');
    const item = page.getByRole('row').filter({ hasText: 'Local demo chain' });
    await item.getByText(/^Block \d+ of \d+ · now$/).waitFor();
    await item.getByText('Running').waitFor();
    await chain.stop();
    await item.getByText(/^No RPC endpoint answers · Last answer: .*\d\d:\d\d/).waitFor();
    await item.getByText(/^Block \d+ of \d+$/).waitFor();
    await item.getByText('Stalled', { exact: true }).waitFor();
    expect(await item.textContent()).not.toMatch(/\bnow\b|answer\b.*\banswers?\b.*\banswers?\b/is);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(await findOverflow(page)).toEqual([]);
    await open('chains', 'zh');
    await item.getByText(/^没有 RPC 端点应答 · 最后应答/).waitFor();
  } finally {
    await chain.stop();
  }
});

test('all errors of the rules are shown together', async () => {
  await open('rules');
  await page.getByRole('button', { name: 'Draft rules' }).click();
  await page.getByText('JSON', { exact: true }).click();
  await page
    .getByRole('textbox', { name: 'Rules' })
    .fill('{"uptime":{"amount":"-1"},"nonsense":1}');
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByText('rules.uptime.amount: This must not be less than zero.').waitFor();
  await page
    .getByText(`rules.nonsense: ${texts.shell.fieldProblem.additionalProperties}`)
    .waitFor();
  window.expectRefused('400 POST /operator/rules');
  expect(await findOverflow(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await untilNothingIsOpen(page);
});

test('no line of a Chinese paragraph begins with a punctuation mark', async () => {
  await open('ledger', 'zh');
  await page.getByText('暂无每日账本头').waitFor();
  await widenSigns(page, 'main p');
  for (let width = 320; width <= 400; width += 10) {
    await page.setViewportSize({ width, height: 700 });
    expect(await findLineEnds(page.locator('main p'), /./, CLOSING_MARK), `${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 700 });
});
