import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/index.ts';
import { useReads } from '../allows.tsx';
import { personQuery } from '../person/queries.ts';
import { PersonLink } from '../person-link.tsx';

/** Whose a payout is: the name and address where the operator may read people, else the number. */
export function PayoutPerson({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const reads = useReads();
  const { data } = useQuery({ ...personQuery(userId), enabled: reads('operator:users') });
  const id = String(userId);
  const numbered = t('payouts.ofPerson', { id });
  return (
    <PersonLink id={id}>
      {data ? `${data.nickname} · ${data.email} · ${numbered}` : numbered}
    </PersonLink>
  );
}
