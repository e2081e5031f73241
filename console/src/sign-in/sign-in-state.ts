/** The step at which a sign-in is, and what the step needs. */
import type { ConsentRequest, LoginResult, Registration } from './api.ts';
import type { ExistingSession } from './find-existing-session.ts';
import { readKeptRegistration } from './registration-draft.ts';
import type { Callback } from './upstream.ts';
import type { UpstreamAccount } from './upstream-step.tsx';

export type SignInState =
  | {
      readonly step: 'password';
      readonly email: string;
      readonly notice: string;
      readonly failure: string;
    }
  | { readonly step: 'register'; readonly known: Registration; readonly isReloaded?: boolean }
  | { readonly step: 'verify-email'; readonly registration: Registration; readonly ticket: string }
  | {
      readonly step: 'upstream-verify';
      readonly account: UpstreamAccount;
      readonly ticket: string;
    }
  | {
      readonly step: 'factor';
      readonly email: string;
      readonly login: LoginResult;
      readonly notice: string;
    }
  | { readonly step: 'upstream'; readonly callback: Callback }
  | { readonly step: 'upstream-register'; readonly account: UpstreamAccount }
  | { readonly step: 'reset'; readonly email: string }
  | {
      readonly step: 'consent';
      readonly signedIn: ExistingSession['signedIn'];
      readonly request: ConsentRequest;
    }
  | { readonly step: 'leaving'; readonly client: string }
  | { readonly step: 'failed'; readonly message: string; readonly retry: () => void };

export type StateOf<Step extends SignInState['step']> = Extract<
  SignInState,
  { readonly step: Step }
>;

export const EMPTY_REGISTRATION: Registration = {
  email: '',
  nickname: '',
  password: '',
  referralCode: '',
};

export const FIRST_STATE: SignInState = { step: 'password', email: '', notice: '', failure: '' };

export function findFirstState({
  isNew,
  referralCode,
  email,
  notice,
}: {
  readonly isNew: boolean;
  readonly referralCode: string;
  readonly email: string;
  readonly notice: string;
}): SignInState {
  if (!isNew || notice !== '') return { step: 'password', email, notice, failure: '' };
  return { step: 'register', known: { ...EMPTY_REGISTRATION, email, referralCode } };
}

export function findStateAfterReload(): SignInState | undefined {
  const known = readKeptRegistration();
  return known && { step: 'register', known, isReloaded: true };
}

/** Where "back" leads, unless to the first step. */
export function findStateBefore(state: SignInState): SignInState | undefined {
  if (state.step === 'verify-email') return { step: 'register', known: state.registration };
  if (state.step !== 'upstream-verify') return undefined;
  return { step: 'upstream-register', account: state.account };
}

/** The registration that a reload would lose: its code was sent, or a reload has voided it. */
export function findDraft(state: SignInState): Registration | undefined {
  if (state.step === 'verify-email') return state.registration;
  return state.step === 'register' && state.isReloaded ? state.known : undefined;
}
