/** The public keys of the caller's passkeys, as the configuration of the signer has them. */
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Facts } from '../../components/description-list.tsx';
import { saveBlob } from '../../components/file.ts';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from '../operator.module.css';
import { type ApproverKey, approverKeysQuery } from './queries.ts';

const FILE_NAME = 'payout-approver-keys.json';

/** The `keys` of an operator in the configuration of the signer. */
const toJson = (keys: readonly ApproverKey[]): string =>
  JSON.stringify(
    keys.map(({ credential_id, public_key }) => ({ credential_id, public_key })),
    null,
    2,
  );

function Keys({ keys }: { readonly keys: readonly ApproverKey[] }) {
  const { t } = useTranslation('operator');
  const json = toJson(keys);
  const save = (): void => saveBlob(new Blob([json], { type: 'application/json' }), FILE_NAME);
  return (
    <>
      <ul className={classes.list} aria-label={t('payouts.approverKeys.title')}>
        {keys.map(({ name, credential_id, public_key }) => (
          <li key={credential_id} className={classes.item}>
            <div className={classes.text}>
              <strong>{name}</strong>
              <Facts
                facts={[
                  [
                    t('payouts.approverKeys.credentialId'),
                    <code key="credential">{credential_id}</code>,
                  ],
                  [t('payouts.approverKeys.publicKey'), <code key="public">{public_key}</code>],
                ]}
              />
            </div>
          </li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <CopyButton text={json} label={t('payouts.approverKeys.copy')} />
        <Button variant="default" icon="download" onClick={save}>
          {t('payouts.approverKeys.download')}
        </Button>
      </div>
    </>
  );
}

export function ApproverKeys() {
  const { t } = useTranslation('operator');
  const keys = useQuery(approverKeysQuery);
  return (
    <Section title={t('payouts.approverKeys.title')} lead={t('payouts.approverKeys.lead')}>
      <QueryBoundary query={keys} skeleton={<SkeletonLines count={2} />}>
        {(list) =>
          list.length === 0 ? (
            <p className={classes.small}>{t('payouts.approverKeys.none')}</p>
          ) : (
            <Keys keys={list} />
          )
        }
      </QueryBoundary>
    </Section>
  );
}
