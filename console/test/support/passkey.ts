/** A user whose only strong factor is a passkey. */
import type { Page } from 'playwright-core';
import { openSecurity, type Person, signUpFromStart } from './user-flows.ts';
import { addVirtualAuthenticator, untilNothingIsOpen } from './watched-page.ts';

/**
 * Registers a user whose browser then has a passkey, and leaves the security page open; returns the
 * recovery codes.
 */
export async function signUpWithPasskey(
  page: Page,
  baseUrl: string,
  person: Person,
): Promise<string[]> {
  await addVirtualAuthenticator(page);
  await signUpFromStart(page, baseUrl, person);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('My phone');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
  await dialog.locator('li').first().waitFor();
  const codes = await dialog.locator('li').allTextContents();
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await untilNothingIsOpen(page);
  return codes;
}
