/** A code is read in any notation; an input without a readable code is kept and explained. */
import { expect, test } from 'vitest';
import { readCode } from '../../service/test/demo/http-client.ts';
import { closeWithoutErrors, startBrowserFixture } from './support/browser-fixture.ts';
import { signUpByApi } from './support/seed.ts';
import { newPerson, overview } from './support/user-flows.ts';
import { findAccessibilityProblems, findOverflow } from './support/watched-page.ts';

const stage = startBrowserFixture();

function inArabicDigits(code: string): string {
  return code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit)));
}

test('a code in digits of another script is accepted', async () => {
  const { baseUrl } = stage.service;
  const person = newPerson();
  await signUpByApi(baseUrl, person);
  const window = await stage.open({ viewport: { width: 320, height: 640 } });
  const { page } = window;
  await page.goto('/');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  const field = page.getByLabel('Code', { exact: true });

  // The input contains two codes, and neither is preferred.
  await field.fill('Ticket 123456, code 384845');
  expect(await field.inputValue()).toBe('Ticket 123456, code 384845');
  await page
    .getByRole('alert')
    .getByText('The code has six digits.')
    .waitFor({ state: 'attached' });
  await page.getByText('The code has six digits.').first().waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);

  const code = inArabicDigits(await readCode(baseUrl, person.email));
  await field.fill('');
  await field.pressSequentially(code.slice(0, 3));
  expect(await field.inputValue()).toMatch(/^\d{3}$/);
  expect(await page.getByText('The code has six digits.').count()).toBe(0);
  await field.pressSequentially(code.slice(3));
  await overview(page).waitFor();
  await closeWithoutErrors(window);
});
