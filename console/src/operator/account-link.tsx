/** One side of a transfer: a person, with the way to their page, or an account of the house. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../i18n/index.ts';
import { counterpartyText } from '../i18n/labels.ts';
import table from './dense-table.module.css';
import { PersonName } from './person-name.tsx';

interface Props {
  /** `user:ID`, or the name of the house's account. */
  readonly code: string;
  readonly currency: string;
  /** Where it stands in a sheet, which closes. */
  readonly onFollow?: () => void;
}

export function AccountLink({ code, currency, onFollow }: Props) {
  const { t } = useTranslation('operator');
  const [, userId] = /^user:(\d+)$/.exec(code) ?? [];
  if (userId !== undefined) return <PersonName userId={Number(userId)} />;
  return (
    <Link
      to="/operator"
      search={{ view: 'ledger', house: code, currency }}
      className={table.link}
      {...(onFollow && { onClick: onFollow })}
    >
      {counterpartyText(t, code)}
    </Link>
  );
}
