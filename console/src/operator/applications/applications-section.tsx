import { useState } from 'react';
import { EmptyState, Section } from '../../components/layout.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import classes from '../operator.module.css';
import { ApplicationForm } from './application-form.tsx';
import { ApplicationSheet } from './application-sheet.tsx';
import { APPLICATIONS_KEY, type Application, fetchApplications } from './queries.ts';

const ROW_HEIGHT = 84;

/** OAuth clients: who may ask users for access, and which servers act by themselves. */
export function ApplicationsSection() {
  const { t } = useTranslation('operator');
  const [isNew, setNew] = useState(false);
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
      <PagedList<Application>
        label={t('view.applications')}
        queryKey={APPLICATIONS_KEY}
        fetchPage={fetchApplications}
        rowHeight={ROW_HEIGHT}
        keyOf={(application) => application.client_id}
        renderMissing={() => <span className={classes.user} aria-hidden="true" />}
        renderRow={(application, open) => (
          <div className={classes.user}>
            <strong>{application.client_name}</strong>
            <span className={classes.address}>{application.client_id}</span>
            <span className={classes.small}>
              {t(`applications.${application.type}`)}
              {!application.enabled && ` · ${t('applications.off')}`}
            </span>
            <ChangeButton
              scope="operator:clients"
              variant="default"
              size="xs"
              aria-label={t('applications.openName', { name: application.client_name })}
              onClick={() => open(application)}
            >
              {t('applications.open')}
            </ChangeButton>
          </div>
        )}
        renderSheet={(application, onClose) => (
          <ApplicationSheet application={application} onClose={onClose} />
        )}
        empty={<EmptyState icon="key" title={t('applications.none')} />}
      />
      {isNew && (
        <Sheet title={t('applications.add')} onClose={() => setNew(false)}>
          <ApplicationForm onSaved={() => setNew(false)} />
        </Sheet>
      )}
    </Section>
  );
}
