/** APIs of the operator that take access tokens of this service. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import table from '../dense-table.module.css';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import rows from '../rows.module.css';
import { type ResourceServer, resourcesQuery } from './queries.ts';
import { ResourceSheet } from './resource-sheet.tsx';

interface TableProps {
  readonly servers: readonly ResourceServer[];
  readonly onOpen: (id: string) => void;
}

function ResourceTable({ servers, onOpen }: TableProps) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('resources.title')}
      columns={[
        { key: 'name', label: t('applications.name'), className: rows.main },
        { key: 'audience', label: t('resources.audience'), className: rows.side },
        { key: 'scopes', label: t('applications.scopes'), className: rows.note },
        { key: 'state', label: t('person.state'), className: rows.state },
      ]}
    >
      {servers.map(({ id, name, audience, scopes, enabled }) => (
        <tr key={id}>
          <td className={rows.main}>
            <RowOpener label={t('applications.openName', { name })} onOpen={() => onOpen(id)}>
              {name}
            </RowOpener>
          </td>
          <td className={rows.side}>
            <code className={table.code}>{audience}</code>
          </td>
          <td className={rows.note}>
            {scopes.map((scope) => scope.name).join(t('devices:comma'))}
          </td>
          <td className={rows.state} data-state={enabled ? 'following' : 'disabled'}>
            {t(enabled ? 'applications.on' : 'applications.off')}
          </td>
        </tr>
      ))}
    </DenseTable>
  );
}

export function ResourcesSection() {
  const { t } = useTranslation('operator');
  const [isNew, setNew] = useState(false);
  const [openedId, setOpened] = useState<string>();
  const found = useQuery(resourcesQuery);
  const servers = found.data ?? [];
  const opened = servers.find(({ id }) => id === openedId);
  const close = (): void => {
    setNew(false);
    setOpened(undefined);
  };
  return (
    <Section
      title={t('resources.title')}
      lead={t('resources.lead')}
      actions={
        <ChangeButton scope="operator:clients" size="sm" icon="plus" onClick={() => setNew(true)}>
          {t('resources.add')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={found} skeleton={<SkeletonLines count={2} height={40} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="shield" title={t('resources.none')} />
          ) : (
            <ResourceTable servers={list} onOpen={setOpened} />
          )
        }
      </QueryBoundary>
      {(isNew || opened) && (
        <ResourceSheet server={opened} takenIds={servers.map(({ id }) => id)} onClose={close} />
      )}
    </Section>
  );
}
