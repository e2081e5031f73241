import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateTime } from '../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { useTranslation } from '../i18n/index.ts';
import { AuthenticatorSheet } from './authenticator-sheet.tsx';
import { FactorList, type Open } from './factor-list.tsx';
import { PasskeySheet } from './passkey-sheet.tsx';
import { factorsQuery } from './queries.ts';
import type { Proof } from './reauthentication.tsx';
import { RecoverySheet } from './recovery-sheet.tsx';
import classes from './security.module.css';

/** The second factors, the strongest first. */
export function FactorsSection({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation('security');
  const factors = useQuery(factorsQuery);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const finish = (codes: readonly string[] | undefined): void =>
    setOpen(codes && codes.length > 0 ? { sheet: 'recovery', codes } : undefined);
  return (
    <Section title={t('factors')} lead={t('factorsLead')}>
      <QueryBoundary query={factors} skeleton={<SkeletonLines count={3} />}>
        {(data) => (
          <>
            {data.money_frozen_since !== undefined && (
              <p className={classes.warning}>
                {t('moneyFrozenSince')} <DateTime iso={data.money_frozen_since} />
              </p>
            )}
            {data.money_frozen_until !== undefined && (
              <p className={classes.warning}>
                {t('moneyFrozen')} <DateTime iso={data.money_frozen_until} />
              </p>
            )}
            <FactorList factors={data} proof={proof} onOpen={setOpen} />
          </>
        )}
      </QueryBoundary>
      {open?.sheet === 'authenticator' && (
        <AuthenticatorSheet proof={proof} onDone={finish} onClose={close} />
      )}
      {open?.sheet === 'passkey' && <PasskeySheet proof={proof} onDone={finish} onClose={close} />}
      {open?.sheet === 'recovery' && <RecoverySheet codes={open.codes} onClose={close} />}
    </Section>
  );
}
