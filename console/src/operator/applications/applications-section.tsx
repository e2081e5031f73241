import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import table from '../dense-table.module.css';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import rows from '../rows.module.css';
import { ApplicationForm } from './application-form.tsx';
import { ApplicationSheet } from './application-sheet.tsx';
import { type Application, applicationsQuery } from './queries.ts';

interface TableProps {
  readonly applications: readonly Application[];
  readonly onOpen: (application: Application) => void;
}

function ApplicationTable({ applications, onOpen }: TableProps) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('view.applications')}
      columns={[
        { key: 'name', label: t('applications.name'), className: rows.main },
        { key: 'id', label: t('applications.clientId'), className: rows.side },
        { key: 'type', label: t('applications.type'), className: rows.note },
        { key: 'state', label: t('person.state'), className: rows.state },
      ]}
    >
      {applications.map((application) => (
        <tr key={application.client_id}>
          <td className={rows.main}>
            <RowOpener
              label={t('applications.openName', { name: application.client_name })}
              onOpen={() => onOpen(application)}
            >
              {application.client_name}
            </RowOpener>
          </td>
          <td className={rows.side}>
            <code className={table.code}>{application.client_id}</code>
          </td>
          <td className={rows.note}>{t(`applications.${application.type}`)}</td>
          <td className={rows.state} data-state={application.enabled ? 'following' : 'disabled'}>
            {t(application.enabled ? 'applications.on' : 'applications.off')}
          </td>
        </tr>
      ))}
    </DenseTable>
  );
}

/** OAuth clients: who may ask users for access, and which servers act by themselves. */
export function ApplicationsSection() {
  const { t } = useTranslation('operator');
  const [isNew, setNew] = useState(false);
  const [openedId, setOpened] = useState<string>();
  const found = useInfiniteQuery(applicationsQuery);
  const list = found.data?.pages.flatMap(({ records }) => records) ?? [];
  const opened = list.find(({ client_id }) => client_id === openedId);
  return (
    <Section
      title={t('view.applications')}
      lead={t('applications.lead')}
      actions={
        <ChangeButton scope="operator:clients" size="sm" icon="plus" onClick={() => setNew(true)}>
          {t('applications.add')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={found} skeleton={<SkeletonLines count={4} height={40} />}>
        {() =>
          list.length === 0 ? (
            <EmptyState icon="key" title={t('applications.none')} />
          ) : (
            <>
              <ApplicationTable
                applications={list}
                onOpen={({ client_id }) => setOpened(client_id)}
              />
              <div className={rows.more}>
                {found.hasNextPage && <MoreButton query={found} label={t('payouts.more')} />}
              </div>
            </>
          )
        }
      </QueryBoundary>
      {opened && <ApplicationSheet application={opened} onClose={() => setOpened(undefined)} />}
      {isNew && (
        <Sheet title={t('applications.add')} onClose={() => setNew(false)}>
          <ApplicationForm onSaved={() => setNew(false)} />
        </Sheet>
      )}
    </Section>
  );
}
