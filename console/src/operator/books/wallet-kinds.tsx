/** Kinds of wallets of people, and accounts of the house. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Select, TextInput } from '../../components/field.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { Text } from '../../components/text.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { counterpartyText } from '../../i18n/labels.ts';
import { ChangeButton } from '../allows.tsx';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import rows from '../rows.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { putWalletKind, type WalletKind, walletKindsQuery } from './queries.ts';

const CODE_MAX = 32;

interface FormProps {
  readonly kinds: readonly WalletKind[];
  readonly onClose: () => void;
}

function NewWallet({ kinds, onClose }: FormProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const submit = (form: HTMLFormElement): void => {
    const code = fieldText(form, 'wallet');
    if (kinds.some(({ wallet }) => wallet === code)) {
      operation.refuse({ wallet: t('books.walletTaken') });
      return;
    }
    operation.run(() => putWalletKind(code, fieldText(form, 'house') === 'house'), onClose);
  };
  return (
    <FormSheet
      title={t('books.addWallet')}
      onClose={onClose}
      submission={operation}
      submitLabel={t('books.addWallet')}
      onSubmit={submit}
    >
      <Text>{t('books.walletForGood')}</Text>
      <TextInput
        name="wallet"
        label={t('books.code')}
        description={t('books.walletCodeLead')}
        maxLength={CODE_MAX}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Select
        name="house"
        label={t('books.owner')}
        options={[
          { value: 'house', label: t('books.ofHouse') },
          { value: 'people', label: t('books.ofPeople') },
        ]}
      />
    </FormSheet>
  );
}

function WalletTable({ kinds }: { readonly kinds: readonly WalletKind[] }) {
  const { t } = useTranslation('operator');
  const nameOf = ({ wallet, house }: WalletKind): string =>
    house
      ? counterpartyText(t, wallet)
      : (t.find('operator', `person.walletName.${wallet}`) ?? wallet);
  return (
    <DenseTable
      label={t('books.wallets')}
      columns={[
        { key: 'name', label: t('applications.name'), className: rows.main },
        { key: 'code', label: t('books.code'), className: rows.side },
        { key: 'owner', label: t('books.owner'), className: rows.state },
      ]}
    >
      {kinds.map((kind) => (
        <tr key={kind.wallet}>
          <td className={rows.main}>{nameOf(kind)}</td>
          <td className={rows.side}>
            <code className={table.code}>{kind.wallet}</code>
          </td>
          <td className={rows.state}>{t(kind.house ? 'books.ofHouse' : 'books.ofPeople')}</td>
        </tr>
      ))}
    </DenseTable>
  );
}

export function WalletKindsSection() {
  const { t } = useTranslation('operator');
  const [isNew, setNew] = useState(false);
  const kinds = useQuery(walletKindsQuery);
  return (
    <Section
      title={t('books.wallets')}
      lead={t('books.walletsLead')}
      actions={
        <ChangeButton scope="operator:transfers" size="sm" icon="plus" onClick={() => setNew(true)}>
          {t('books.addWallet')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={kinds} skeleton={<SkeletonLines count={4} height={40} />}>
        {(list) => (
          <>
            <WalletTable kinds={list} />
            {isNew && <NewWallet kinds={list} onClose={() => setNew(false)} />}
          </>
        )}
      </QueryBoundary>
    </Section>
  );
}
