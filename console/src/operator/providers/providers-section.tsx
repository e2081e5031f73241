/** Providers of others at which users can sign in. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import table from '../dense-table.module.css';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import rows from '../rows.module.css';
import { NewProvider } from './new-provider.tsx';
import { ProviderSheet } from './provider-sheet.tsx';
import { type Provider, providersQuery } from './queries.ts';

interface TableProps {
  readonly providers: readonly Provider[];
  readonly onOpen: (id: string) => void;
}

function ProviderTable({ providers, onOpen }: TableProps) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('providers.title')}
      columns={[
        { key: 'label', label: t('providers.provider'), className: rows.main },
        { key: 'issuer', label: t('providers.issuer'), className: rows.side },
        { key: 'state', label: t('person.state'), className: rows.state },
      ]}
    >
      {providers.map(({ id, label, issuer, enabled }) => (
        <tr key={id}>
          <td className={rows.main}>
            <RowOpener
              label={t('applications.openName', { name: label })}
              onOpen={() => onOpen(id)}
            >
              {label}
            </RowOpener>
          </td>
          <td className={rows.side}>
            <code className={table.code}>{issuer}</code>
          </td>
          <td className={rows.state} data-state={enabled ? 'following' : 'disabled'}>
            {t(enabled ? 'applications.on' : 'applications.off')}
          </td>
        </tr>
      ))}
    </DenseTable>
  );
}

export function ProvidersSection() {
  const { t } = useTranslation('operator');
  const [isNew, setNew] = useState(false);
  const [openedId, setOpened] = useState<string>();
  const found = useQuery(providersQuery);
  const opened = found.data?.find(({ id }) => id === openedId);
  return (
    <Section
      title={t('providers.title')}
      lead={t('providers.lead')}
      actions={
        <ChangeButton scope="operator:clients" size="sm" icon="plus" onClick={() => setNew(true)}>
          {t('providers.add')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={found} skeleton={<SkeletonLines count={2} height={40} />}>
        {(providers) =>
          providers.length === 0 ? (
            <EmptyState icon="user" title={t('providers.none')} />
          ) : (
            <ProviderTable providers={providers} onOpen={setOpened} />
          )
        }
      </QueryBoundary>
      {opened && <ProviderSheet provider={opened} onClose={() => setOpened(undefined)} />}
      {isNew && <NewProvider providers={found.data ?? []} onClose={() => setNew(false)} />}
    </Section>
  );
}
