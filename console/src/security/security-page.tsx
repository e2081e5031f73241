import { useQuery } from '@tanstack/react-query';
import { useMe } from '../api/me.ts';
import { Button } from '../components/button.tsx';
import { Column, isPending, Page } from '../components/layout.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { signOutHere } from '../notifications/this-browser.ts';
import { CloseSection } from './close-account-section.tsx';
import { ConnectionsSection } from './connected-apps-section.tsx';
import { EventsSection, firstEventsQuery } from './events-section.tsx';
import { ExportSection } from './export-section.tsx';
import { FactorsSection } from './factors-section.tsx';
import { IdentitiesSection } from './identities-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { connectionsQuery, factorsQuery, identitiesQuery, sessionsQuery } from './queries.ts';
import { useProof } from './reauthentication.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** Who one is, how one signs in, and who else is let in. */
export function SecurityPage() {
  const { t } = useTranslation('security');
  const me = useMe();
  const queries = [
    me,
    useQuery(factorsQuery),
    useQuery(identitiesQuery),
    useQuery(sessionsQuery),
    useQuery(connectionsQuery),
    useQuery(firstEventsQuery),
  ];
  const proof = useProof();
  const leaving = useSubmission();
  return (
    <Page
      title={t('title')}
      isLoading={queries.some(isPending)}
      isPaired
      actions={
        <Button
          variant="default"
          icon="out"
          isBusy={leaving.isPending}
          disabled={!me.data}
          onClick={() => me.data && leaving.submit(() => signOutHere(me.data.user_id))}
        >
          {t('signOut')}
        </Button>
      }
    >
      {leaving.message !== '' && <p role="alert">{leaving.message}</p>}
      <Column>
        <ProfileSection proof={proof} />
        <FactorsSection proof={proof} />
        <IdentitiesSection proof={proof} />
      </Column>
      <Column>
        <SessionsSection proof={proof} />
        <ConnectionsSection proof={proof} />
      </Column>
      <EventsSection />
      <ExportSection proof={proof} />
      <CloseSection proof={proof} />
      {proof.sheet}
    </Page>
  );
}
