import { useTranslation } from '../i18n/index.ts';
import { CopyButton } from './copy.tsx';
import { GroupedAddress } from './grouped-address.tsx';
import classes from './transaction-hash.module.css';

/** The hash of a transaction: to be compared, or looked up elsewhere. */
export function TransactionHash({ hash }: { readonly hash: string }) {
  const { t } = useTranslation('deposits');
  return (
    <span className={classes.hash}>
      <GroupedAddress address={hash} />
      <CopyButton size="sm" text={hash} label={t('copyHash')} />
    </span>
  );
}
