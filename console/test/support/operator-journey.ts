/**
 * How a user becomes an operator and opens the operator pages: a passkey, the command line, and a
 * fresh sign-in.
 */
import type { Page } from 'playwright-core';
import { runCommand, type ServiceProcess } from '../../../service/test/support/service-process.ts';
import { texts } from './texts.ts';
import { newPerson, openSecurity, type Person, signUpFromStart } from './user-flows.ts';

/** A service that can make a user an operator. */
export interface OperatorsService {
  readonly baseUrl: string;
  grantOperator(email: string): Promise<void>;
}

/**
 * A process with an embedded database as such a service: it stops for the command and starts again.
 */
export function withCommand(service: ServiceProcess): OperatorsService {
  return {
    baseUrl: service.baseUrl,
    async grantOperator(email) {
      await service.stop();
      const { stdout } = await runCommand(['operator', 'grant', email], service.env);
      if (!stdout.includes('may act as an operator')) throw new Error(`not granted: ${stdout}`);
      await service.start();
    },
  };
}

/** Makes the user of the window an operator. The window needs an authenticator. */
export async function becomeOperator(page: Page, service: OperatorsService): Promise<Person> {
  const person = newPerson('Hopper');
  await signUpFromStart(page, service.baseUrl, person);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  // Without operator scopes no link leads there, and the page explains how to get them.
  await page.getByRole('link', { name: 'Operator', exact: true }).waitFor({ state: 'detached' });
  await page.goto('/operator');
  await page.getByText(texts.operator.notAllowed).waitFor();
  await service.grantOperator(person.email);
  return person;
}

/** From the link in the navigation through the sign-in to the first operator page. */
export async function confirmOperator(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Operator', exact: true }).click();
  // The token says that the person may operate: no user is sent to an administrator.
  await page.getByText(texts.operator.confirmLead).waitFor();
  await page.getByRole('button', { name: texts.operator.confirm }).click();
  // Nothing has expired: it is asked for the first time.
  await page.getByText(texts.operator.confirmFirst).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('link', { name: texts.operator.view.users, exact: true }).click();
  await page.getByText(/^\d+ (person|people)$/).waitFor();
}

export async function openOperatorPages(page: Page, service: OperatorsService): Promise<void> {
  await confirmOperator(page, await becomeOperator(page, service));
}
