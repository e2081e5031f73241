/**
 * One way of proving the second factor, wherever it is asked for: sign-in, reset, renewed proof.
 */

import { useEffect, useState } from 'react';
import { isProblem } from '../api/problem.ts';
import { TextInput } from '../components/field.tsx';
import { fieldText } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { joinSentences } from '../i18n/sentences.ts';
import { isCode, readCode, readRecoveryCode } from '../lib/parse-code.ts';
import type { FactorMethod, FactorProof } from './api.ts';
import { CodeField } from './code-field.tsx';
import { leavePasskeyPrompt, type PasskeyCredential } from './passkey-prompt.ts';

export type Way = FactorMethod | 'RECOVERY';

export const WAY_LEADS = {
  EMAIL: 'factor.emailLead',
  AUTHENTICATOR: 'factor.authenticatorLead',
  PASSKEY: 'factor.passkeyLead',
  RECOVERY: 'factor.recoveryLead',
} as const;

export const WAY_NAMES = {
  EMAIL: 'factor.useEmail',
  AUTHENTICATOR: 'factor.useAuthenticator',
  PASSKEY: 'factor.usePasskey',
  RECOVERY: 'factor.useRecovery',
} as const;

/** The best way to begin with. */
export function firstWay(methods: readonly FactorMethod[]): Way {
  if (methods.includes('PASSKEY') && 'credentials' in navigator) return 'PASSKEY';
  return methods.includes('AUTHENTICATOR') ? 'AUTHENTICATOR' : 'EMAIL';
}

/** Factors that a recovery code stands in for. */
type StrongMethod = Exclude<FactorMethod, 'EMAIL'>;

function findStrong(methods: readonly FactorMethod[]): StrongMethod | undefined {
  return methods.find((method): method is StrongMethod => method !== 'EMAIL');
}

/**
 * Other ways than the present one. A lost authenticator or passkey is what recovery codes are for.
 */
export function otherWays(methods: readonly FactorMethod[], way: Way): Way[] {
  const ways: Way[] = [...methods, ...(findStrong(methods) ? (['RECOVERY'] as const) : [])];
  return ways.filter((entry) => entry !== way);
}

/**
 * Thrown when what was typed cannot be right, or the browser gave no passkey; the message is for
 * the person.
 */
export class FactorInputError extends Error {}

export interface FactorForm {
  readonly problem: string | undefined;
  /** Leaves the present way. */
  clear(): void;
  /**
   * Reads the proof; undefined when there is none, and says why beside the field. @throws
   * FactorInputError, EdgeError
   */
  read(way: Way, form: HTMLFormElement): Promise<FactorProof | undefined>;
  /** An authenticator's code that served already looks right: the error says what to do. */
  explain(way: Way, error: unknown): unknown;
}

/**
 * `methods` are those that the person has: the service takes no other, and a recovery code in the
 * place of one of them.
 */
export function useFactorForm(
  methods: readonly FactorMethod[],
  askPasskey: () => Promise<PasskeyCredential>,
): FactorForm {
  const { t, language } = useTranslation('signIn');
  const textOf = useProblemText();
  const [problem, setProblem] = useState<string>();
  useEffect(() => leavePasskeyPrompt, []);
  const readPasskey = async (): Promise<FactorProof | undefined> => {
    try {
      return { method: 'PASSKEY', passkey_credential: await askPasskey() };
    } catch (error) {
      // Left for another method: no error to show.
      if (error instanceof Error && error.name === 'AbortError') return undefined;
      throw isProblem(error) ? error : new FactorInputError(t('factor.passkeyFailed'));
    }
  };
  const readRecovery = (form: HTMLFormElement): FactorProof | undefined => {
    const typed = fieldText(form, 'recovery_code');
    const recovery_code = readRecoveryCode(typed);
    setProblem(
      typed === ''
        ? t('common:required')
        : recovery_code === undefined
          ? t('factor.recoveryInvalid')
          : undefined,
    );
    const method = findStrong(methods);
    return recovery_code === undefined || method === undefined
      ? undefined
      : { method, recovery_code };
  };
  const readDigits = (
    way: 'EMAIL' | 'AUTHENTICATOR',
    form: HTMLFormElement,
  ): FactorProof | undefined => {
    const code = readCode(fieldText(form, 'code'));
    setProblem(isCode(code) ? undefined : t('factor.codeInvalid'));
    if (!isCode(code)) return undefined;
    return way === 'EMAIL'
      ? { method: 'EMAIL', validate_code: code }
      : { method: 'AUTHENTICATOR', authenticator_code: code };
  };
  return {
    problem,
    explain(way, error) {
      const isAuthenticator = way === 'AUTHENTICATOR' && isProblem(error, 'invalid_code');
      return isAuthenticator
        ? new FactorInputError(joinSentences(language, textOf(error), t('factor.codeOnce')))
        : error;
    },
    clear() {
      setProblem(undefined);
      leavePasskeyPrompt();
    },
    async read(way, form) {
      if (way === 'PASSKEY') return readPasskey();
      return way === 'RECOVERY' ? readRecovery(form) : readDigits(way, form);
    },
  };
}

/** The field of a way; a passkey needs none. */
export function FactorField({
  way,
  problem,
}: {
  readonly way: Way;
  readonly problem: string | undefined;
}) {
  const { t } = useTranslation('signIn');
  if (way === 'PASSKEY') return null;
  if (way !== 'RECOVERY') return <CodeField {...(problem !== undefined && { error: problem })} />;
  return (
    <TextInput
      name="recovery_code"
      label={t('factor.recoveryCode')}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
      autoFocus
      error={problem}
    />
  );
}
