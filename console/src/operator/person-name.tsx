import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../i18n/index.ts';
import { useReads } from './allows.tsx';
import { nameQuery } from './name-query.ts';
import { PersonLink } from './person-link.tsx';

/** A person in words: the nickname where the operator may read people, else the number. */
export function useNameOf(userId: number): { readonly name: string; readonly email?: string } {
  const { t } = useTranslation('operator');
  const reads = useReads();
  const { data } = useQuery({ ...nameQuery(userId), enabled: reads('operator:users') });
  const numbered = t('payouts.ofPerson', { id: String(userId) });
  // Of an erased account no name is left.
  return data?.nickname ? { name: data.nickname, email: data.email } : { name: numbered };
}

/** The same with the number, in one line of text: names are not unique. */
export function useNameAndNumber(userId: number): string {
  const { t } = useTranslation('operator');
  const { name } = useNameOf(userId);
  const number = t('payouts.ofPerson', { id: String(userId) });
  return name === number ? name : t('nameAndNumber', { name, number });
}

/** A name with the way to the person's page. */
export function PersonName({ userId }: { readonly userId: number }) {
  return <PersonLink id={String(userId)}>{useNameOf(userId).name}</PersonLink>;
}

/** With address and number, where what is decided is about this person and no other. */
export function FullPersonName({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const { name, email } = useNameOf(userId);
  const id = String(userId);
  const numbered = t('payouts.ofPerson', { id });
  return (
    <PersonLink id={id}>
      {email === undefined ? numbered : `${name}\u00a0· ${email}\u00a0· ${numbered}`}
    </PersonLink>
  );
}
