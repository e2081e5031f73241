/** A network with the longest name and an accent of its own, on the smallest phones. */
import { beforeAll, expect, test } from 'vitest';
import { expectOk } from '../../service/test/demo/http-client.ts';
import { startBrowserFixture } from './support/browser-fixture.ts';
import { openOperator, signUpByApi } from './support/seed.ts';
import { newPerson } from './support/user-flows.ts';
import { findAccessibilityProblems, findOverflow } from './support/watched-page.ts';

const NAME = 'Northern Lights Distributed Network Ltd.';
const ACCENT = '#7a1fa2';
const stage = startBrowserFixture();
const person = newPerson();

beforeAll(async () => {
  await signUpByApi(stage.service.baseUrl, person);
  const { baseUrl, token } = await openOperator(stage.service);
  const body = { name: NAME, accent: ACCENT };
  await expectOk(`${baseUrl}/operator/brand`, { method: 'PUT', token, body });
});

test.each([320, 390, 430])('at %i pixels the name gives way to the avatar', async (width) => {
  const { page, close } = await stage.openAs(person, { viewport: { width, height: 700 } });
  const avatar = page.getByRole('button', { name: /^Account/ });
  const { width: across, height } = (await avatar.boundingBox()) ?? { width: 0, height: 1 };
  expect(across).toBe(height);
  expect(await findOverflow(page)).toEqual([]);
  await close();
});

test.each(['light', 'dark'] as const)(
  'what is chosen has the accent on a %s page',
  async (theme) => {
    const { page, close } = await stage.openAs(person, { colorScheme: theme });
    await page.goto('/notifications');
    const chosen = page.locator('label', { has: page.getByRole('switch', { checked: true }) });
    const colors = await chosen
      .locator('span')
      .first()
      .evaluate((track) => {
        const button = document.createElement('i');
        button.style.background = 'var(--filled)';
        document.body.append(button);
        return [track, button].map((element) => getComputedStyle(element).backgroundColor);
      });
    expect(colors[0]).toBe(colors[1]);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await close();
  },
);
